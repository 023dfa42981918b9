// Ends a test program that hangs, with a message.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace coracle::test {

// The factor by which everything takes longer in this build.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr int slowness = 6;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
inline constexpr int slowness = 6;
#else
inline constexpr int slowness = 1;
#endif
#else
inline constexpr int slowness = 1;
#endif

// The factor by which this build tries fewer cases of an unlimited kind: seeds, plans, cuts.
inline constexpr int fewer = slowness == 1 ? 1 : 2 * slowness;

// Aborts the program with a message unless it is destroyed in time. This is the last resort: each
// wait has its own, shorter, limit, and fails like any expectation.
class Watchdog {
 public:
  Watchdog(std::string what, std::chrono::seconds limit);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  const std::string what_;
  std::mutex mutex_;  // guards done_
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace coracle::test
