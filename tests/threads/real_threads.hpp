// For the stress tests on real threads: the semaphore in which a worker waits, and the amount of
// work.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "fiber.hpp"

namespace coracle::testing {

// One wake is remembered, more are not.
class Waiter {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    woken_.wait(lock, [this] { return wake_; });
    wake_ = false;
  }
  void wake() {
    {
      const std::lock_guard lock(mutex_);
      wake_ = true;
    }
    woken_.notify_one();
  }

 private:
  std::mutex mutex_;  // guards wake_
  std::condition_variable woken_;
  bool wake_ = false;
};

inline constexpr std::size_t stress_size = sanitized ? 20'000 : 200'000;

}  // namespace coracle::testing
