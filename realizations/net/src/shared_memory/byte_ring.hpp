// A stream of bytes in one direction through memory that two processes share. Pure: it makes no
// system calls; the caller wakes the other side. The process at the other end may write anything
// there at any time. So each number in the memory is read once, into our own memory, and checked
// before it is used; bytes are copied once. An impossible number ends the stream: from then on
// every call reports that the stream makes no sense.
// Tests: realizations/net/tests/asio/byte_ring_test.cpp
#pragma once

#include "realizations/net/src/byte_network.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace coracle::net {

// The positions of both sides: each side writes one cache line, and the other reads it.
struct RingHead {
  alignas(64) std::atomic<std::uint64_t> written{0};
  std::atomic<std::uint32_t> writer_waits{0};  // the writer waits for room
  alignas(64) std::atomic<std::uint64_t> read{0};
  std::atomic<std::uint32_t> reader_rests{0};  // the reader rests until it is woken
};
static_assert(sizeof(RingHead) == 128);

class RingWriter {
 public:
  // The size of `bytes` is a power of two. Both outlive the writer.
  RingWriter(RingHead& head, std::span<std::byte> bytes) noexcept : head_(head), bytes_(bytes) {}

  // Makes as much of `parts` visible to the reader as there is room for. Returns how much that was,
  // or nothing when a number of the reader is, or was, impossible.
  std::optional<std::size_t> write(ByteSpans parts) noexcept;
  // Returns whether the reader rests, and must be woken; called after each write, and true once per
  // rest.
  bool must_wake() noexcept;
  // Returns whether the reader has taken all bytes, or a number of the reader was impossible.
  bool is_read() noexcept {
    return !believe(head_.read.load(std::memory_order_acquire)) || written_ == read_;
  }
  // Notes that the writer waits for room, or, if `for_all`, for is_read(). Returns false when that
  // is there already, or there is something to report.
  bool wait(bool for_all = false) noexcept;

 private:
  // Takes the reader's number if it is possible; returns whether all its numbers were.
  bool believe(std::uint64_t read) noexcept;
  std::size_t room() const noexcept {
    return bytes_.size() - static_cast<std::size_t>(written_ - read_);
  }
  void copy(std::span<const std::byte> part) noexcept;

  RingHead& head_;
  const std::span<std::byte> bytes_;
  std::uint64_t written_ = 0, read_ = 0;  // the reader's last number, never more than written_
  bool is_sound_ = true;
};

class RingReader {
 public:
  RingReader(RingHead& head, std::span<const std::byte> bytes) noexcept
      : head_(head), bytes_(bytes) {}

  // Returns whether read() would have nothing to do, and nothing to report.
  bool is_empty() noexcept;
  // Takes the bytes that are there, at most as many as `into` holds. Returns how many these were,
  // or nothing when a number of the writer is, or was, impossible.
  std::optional<std::size_t> read(std::span<std::byte> into) noexcept;
  // Returns whether the writer waits and there is room for something worth writing; called after
  // each read, and true once per wait.
  bool must_wake() noexcept;
  // Notes that the reader rests. Returns false when read() already has something to do or to
  // report.
  bool rest() noexcept;
  // Notes that the reader looks again.
  void work() noexcept { head_.reader_rests.store(0, std::memory_order_relaxed); }
  // The writer is gone: only the bytes that it has written by now are ever read.
  void end() noexcept;

 private:
  // Takes the writer's number if it is possible; returns whether all its numbers were.
  bool believe(std::uint64_t written) noexcept;
  std::size_t there() const noexcept { return static_cast<std::size_t>(written_ - read_); }

  RingHead& head_;
  const std::span<const std::byte> bytes_;
  std::uint64_t read_ = 0, written_ = 0;  // the writer's last number
  bool is_sound_ = true, has_ended_ = false;
};

}  // namespace coracle::net
