// A mutex for what takes a fraction of a microsecond: to lock it costs one exchange, and whoever
// finds it locked looks again until it is not.
#pragma once

#include <sched.h>

#include <atomic>

namespace coracle::detail {

class BriefMutex {
 public:
  // Without several threads nothing needs to be locked.
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
