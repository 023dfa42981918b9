// Envelopes from one worker to one other, by value: a bounded ring with one producer and one
// consumer.
//
// The producer writes slots at the price of a copy and publishes them in batches, so the line with
// the index crosses the cores once per batch, and the slots are contiguous, so they prefetch. A
// producer that finds the ring full requests room and is notified, once, when there is some.
// Indices only grow; `& mask_` finds the slot.
// Tested in every interleaving: tests/threads/ring_test.cpp
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "sync.hpp"

namespace coracle::detail {

template <class T, class Sync = StdSync>
class Ring {
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert(sizeof(T) == cache_line, "one value is one cache line");

 public:
  // `capacity` is a power of two.
  explicit Ring(std::size_t capacity)
      : slots_(std::make_unique<Slot[]>(capacity)),
        mask_(capacity - 1),
        free_step_(std::clamp<std::size_t>(capacity / 2, 1, 64)) {
    assert(capacity > 0 && (capacity & mask_) == 0);
  }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  std::size_t capacity() const { return mask_ + 1; }

  // ---- Producer only ----

  // Writes `value` into the next slot, where the consumer does not see it before publish(). Returns
  // false if the ring is full.
  [[nodiscard]] bool try_push(const T& value) {
    return try_push_by([&](T& slot) { slot = value; });
  }

  // The same with a value that fill(T&) writes in place, over whatever was there before.
  template <class Fill>
  [[nodiscard]] bool try_push_by(Fill&& fill) {
    if (!has_room()) return false;
    fill(slots_[producer_.pushed & mask_].cell.write());
    ++producer_.pushed;
    return true;
  }

  // Shows the consumer everything pushed; returns false if there was nothing new. After true, the
  // consumer may be asleep: see Parking::claim_wake.
  [[nodiscard]] bool publish() {
    if (producer_.pushed == producer_.published) return false;
    producer_.published = producer_.pushed;
    published_.store(producer_.pushed, std::memory_order_seq_cst);
    return true;
  }

  // Returns the number of values that are pushed, but not yet shown to the consumer.
  std::size_t unpublished() const { return producer_.pushed - producer_.published; }

  // Looks at the consumer's index only if the ring seems full.
  bool has_room() {
    return producer_.pushed - producer_.freed_seen != capacity() || room() != 0;
  }

  // Returns how many values fit now.
  std::size_t room() {
    producer_.freed_seen = freed_.load(std::memory_order_seq_cst);
    return capacity() - (producer_.pushed - producer_.freed_seen);
  }

  // Requests a notice of room: true means that the consumer's take_room_request() will be true
  // after the consumer has freed something. False means that there is room already.
  // A producer that sleeps in a Parking calls this after prepare(), as a part of its last check. If
  // it calls earlier, the consumer may take the request on account of slots that it freed before,
  // find the producer awake, and not notify it when it frees the next.
  // Requires that everything is published: a consumer that sees nothing frees nothing.
  [[nodiscard]] bool wait_for_room() {
    assert(unpublished() == 0);
    room_wanted_.store(true, std::memory_order_seq_cst);
    if (room() == 0) return true;
    // If the consumer took the request meanwhile, the producer gets a needless notice; no harm.
    room_wanted_.store(false, std::memory_order_relaxed);
    return false;
  }

  // ---- Consumer only ----

  // Calls f(T&) for at most `max` published values in order, and returns how many. Slots are freed
  // on the way, so that a waiting producer gets on: f copies or moves what it keeps.
  // f must neither throw nor use this ring.
  template <class F>
  std::size_t consume(F&& f, std::size_t max) {
    if (consumer_.published_seen - consumer_.consumed < max) {
      consumer_.published_seen = published_.load(std::memory_order_acquire);
    }
    const std::size_t count = std::min(max, consumer_.published_seen - consumer_.consumed);
    for (std::size_t i = 0; i < count; ++i) {
      f(slots_[consumer_.consumed & mask_].cell.read());
      ++consumer_.consumed;
      if (consumer_.consumed - consumer_.freed == free_step_) free_consumed();
    }
    if (consumer_.consumed != consumer_.freed) free_consumed();
    return count;
  }

  // Returns whether consume() has freed slots that the producer waits for; then the caller must
  // wake it.
  [[nodiscard]] bool take_room_request() { return std::exchange(consumer_.room_request, false); }

  // Suitable for the check between Parking::prepare and waiting.
  bool empty() const { return published_.load(std::memory_order_seq_cst) == consumer_.consumed; }

 private:
  using Index = typename Sync::template Atomic<std::size_t>;
  using Flag = typename Sync::template Atomic<bool>;

  struct alignas(cache_line) Slot {
    typename Sync::template Cell<T> cell;
  };
  // Members that one side changes with every value must not share a line with members that the
  // other side reads.
  struct alignas(cache_line) Producer {
    std::size_t pushed = 0;
    std::size_t published = 0;
    std::size_t freed_seen = 0;
  };
  struct alignas(cache_line) Consumer {
    std::size_t consumed = 0;
    std::size_t freed = 0;
    std::size_t published_seen = 0;
    bool room_request = false;
  };

  // The request is taken, not just seen, before the producer is notified: only the producer makes
  // the next one.
  void free_consumed() {
    consumer_.freed = consumer_.consumed;
    freed_.store(consumer_.consumed, std::memory_order_seq_cst);
    if (room_wanted_.load(std::memory_order_seq_cst) &&
        room_wanted_.exchange(false, std::memory_order_seq_cst)) {
      consumer_.room_request = true;
    }
  }

  const std::unique_ptr<Slot[]> slots_;
  const std::size_t mask_;
  const std::size_t free_step_;
  Producer producer_;
  alignas(cache_line) Index published_{0};
  Flag room_wanted_{false};  // beside published_, which the consumer reads anyway
  alignas(cache_line) Index freed_{0};
  Consumer consumer_;
};

}  // namespace coracle::detail
