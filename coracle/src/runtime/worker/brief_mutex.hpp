// A mutex for operations that take a fraction of a microsecond. Locking it costs one exchange; a
// thread that finds it locked looks again until it is free.
#pragma once

#include <sched.h>

#include <atomic>

namespace coracle::detail {

class BriefMutex {
 public:
  // Without several threads, nothing needs to be locked.
  explicit BriefMutex(bool has_several) noexcept : has_several_(has_several) {}

  void lock() noexcept {
    if (!has_several_) return;
    while (is_locked_.exchange(true, std::memory_order_acquire)) {
      while (is_locked_.load(std::memory_order_relaxed)) sched_yield();
    }
  }
  void unlock() noexcept { is_locked_.store(false, std::memory_order_release); }

 private:
  const bool has_several_;
  std::atomic<bool> is_locked_{false};
};

}  // namespace coracle::detail
