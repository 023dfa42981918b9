// A stream of bytes in one direction through memory that two processes share. Pure: no calls to the
// system; who has to be woken is for the caller to do. The process at the other end may write
// anything there at any time. So each number in the memory is read once, into our own memory, and
// checked before it is used; bytes are copied once. A number that cannot be ends the stream: from
// then on every call says that it makes no sense.
// Tests: realizations/net/tests/byte_ring_test.cpp
#pragma once

#include "realizations/net/src/network.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace coracle::net {

// How far both are: each of the two writes one cache line, and the other reads it.
struct RingHead {
  alignas(64) std::atomic<std::uint64_t> written{0};
  std::atomic<std::uint32_t> writer_waits{0};  // for room
  alignas(64) std::atomic<std::uint64_t> read{0};
  std::atomic<std::uint32_t> reader_rests{0};  // until it is woken
};
static_assert(sizeof(RingHead) == 128);

class RingWriter {
 public:
  // The size of `bytes` is a power of two. Both outlive it.
  RingWriter(RingHead& head, std::span<std::byte> bytes) noexcept : head_(head), bytes_(bytes) {}

  // Shows the reader as much of `parts` as there is room for; returns how much that was, or nothing
  // when the reader says, or has said, what makes no sense.
  std::optional<std::size_t> write(Parts parts) noexcept;
  // Whether the reader rests, and is to be woken; asked after each write, and true once a rest.
  bool must_wake() noexcept;
  // Notes that it waits for room. False when write() has something to do or to say already.
  bool wait() noexcept;

 private:
  // Takes what the reader says, if it can be; returns whether all that it said could.
  bool believe(std::uint64_t read) noexcept;
  std::size_t room() const noexcept {
    return bytes_.size() - static_cast<std::size_t>(written_ - read_);
  }
  void copy(std::span<const std::byte> part) noexcept;

  RingHead& head_;
  const std::span<std::byte> bytes_;
  std::uint64_t written_ = 0, read_ = 0;  // what the reader said last, never more than written_
  bool is_sound_ = true;
};

class RingReader {
 public:
  RingReader(RingHead& head, std::span<const std::byte> bytes) noexcept
      : head_(head), bytes_(bytes) {}

  // Whether read() would have nothing to do, and nothing to say.
  bool is_empty() noexcept;
  // Takes what is there, at most as much as `into` holds; returns how much that was, or nothing
  // when the writer says, or has said, what makes no sense.
  std::optional<std::size_t> read(std::span<std::byte> into) noexcept;
  // Whether the writer waits and there is room for something worth writing; asked after each read,
  // and true once a wait.
  bool must_wake() noexcept;
  // Notes that it rests. False when read() has something to do or to say already.
  bool rest() noexcept;
  // It looks again.
  void work() noexcept { head_.reader_rests.store(0, std::memory_order_relaxed); }
  // The writer is gone: what it has written by now is all that is ever read.
  void end() noexcept;

 private:
  // Takes what the writer says, if it can be; returns whether all that it said could.
  bool believe(std::uint64_t written) noexcept;
  std::size_t there() const noexcept { return static_cast<std::size_t>(written_ - read_); }

  RingHead& head_;
  const std::span<const std::byte> bytes_;
  std::uint64_t read_ = 0, written_ = 0;  // what the writer said last
  bool is_sound_ = true, has_ended_ = false;
};

}  // namespace coracle::net
