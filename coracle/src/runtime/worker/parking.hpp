// Lets a worker sleep without missing a message.
//
// The worker declares itself asleep and then looks at all its sources again. A thread that gives
// the worker something publishes first and then looks whether the worker sleeps. All four
// operations are seq_cst, so at least one of the two threads sees the other. Waking a core costs
// tens of microseconds, hence only one waker pays.
// Tested in every interleaving: tests/threads/parking_test.cpp
#pragma once

#include <atomic>

#include "sync.hpp"

namespace coracle::detail {

template <class Sync = StdSync>
class Parking {
 public:
  Parking() = default;
  Parking(const Parking&) = delete;
  Parking& operator=(const Parking&) = delete;

  // Worker only. Sleeps by `wait()` unless `ready()` finds work after the worker has declared
  // itself asleep. `ready` must look at every source with its seq_cst check: Ring::empty,
  // Inbox::empty, and Ring::wait_for_room for each full ring that this worker wants to write.
  // `wait` returns after wake() of this worker, even if that came first (an eventfd, a posted
  // handler, a semaphore); it may also return for no reason.
  // Returns whether it waited.
  template <class Ready, class Wait>
  bool park(Ready&& ready, Wait&& wait) {
    prepare();
    if (ready()) {
      cancel();
      return false;
    }
    wait();
    finish();
    return true;
  }

  // The parts of park(), for a worker that cannot wait inside a callback.
  void prepare() { asleep_.store(true, std::memory_order_seq_cst); }

  // Returns false if a waker was faster: its wake() comes or has come, so the next wait may return
  // at once.
  bool cancel() { return asleep_.exchange(false, std::memory_order_seq_cst); }

  // Called after waiting. Returns false if a waker ended the wait; true if something else did (a
  // socket, a timer).
  bool finish() { return asleep_.exchange(false, std::memory_order_seq_cst); }

  // Any thread, after publishing. Returns true for exactly one caller per sleep, and that caller
  // must wake the worker. The load keeps the common case, an awake worker, off the worker's cache
  // line.
  [[nodiscard]] bool claim_wake() {
    return asleep_.load(std::memory_order_seq_cst) &&
           asleep_.exchange(false, std::memory_order_seq_cst);
  }

 private:
  alignas(cache_line) typename Sync::template Atomic<bool> asleep_{false};
};

}  // namespace coracle::detail
