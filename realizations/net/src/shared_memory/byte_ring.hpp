// A stream of bytes in one direction through memory that two processes share. Pure: no calls to the
// system; who has to be woken is for the caller to do. Whoever has the other end may write anything
// there at any time, so what is read from it is looked at before it is used, and copied once.
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
  // when what the reader says makes no sense.
  std::optional<std::size_t> write(Parts parts) noexcept;
  // Whether the reader rests, and is to be woken; asked after each write, and true once a rest.
  bool must_wake() noexcept;
  // Notes that it waits for room. False when there is some already.
  bool wait() noexcept;

 private:
  std::optional<std::size_t> room() noexcept;
  void copy(std::span<const std::byte> part) noexcept;

  RingHead& head_;
  const std::span<std::byte> bytes_;
  std::uint64_t written_ = 0, read_ = 0;  // what the reader said last
};

class RingReader {
 public:
  RingReader(RingHead& head, std::span<const std::byte> bytes) noexcept
      : head_(head), bytes_(bytes) {}

  bool is_empty() const noexcept { return head_.written.load(std::memory_order_acquire) == read_; }
  // Takes what is there, at most as much as `into` holds; returns how much that was, or nothing
  // when what the writer says makes no sense.
  std::optional<std::size_t> read(std::span<std::byte> into) noexcept;
  // Whether the writer waits and there is room for something worth writing; asked after each read,
  // and true once a wait.
  bool must_wake() noexcept;
  // Notes that it rests. False when there is something to read.
  bool rest() noexcept;
  // It looks again.
  void work() noexcept { head_.reader_rests.store(0, std::memory_order_relaxed); }

 private:
  RingHead& head_;
  const std::span<const std::byte> bytes_;
  std::uint64_t read_ = 0;
};

}  // namespace coracle::net
