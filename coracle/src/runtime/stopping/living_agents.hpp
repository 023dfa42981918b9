// The number of agents of a node, and the threads that wait until it is 0.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace coracle::detail {

class NodeCore;

// Safe to call from every thread.
class LivingAgents {
 public:
  explicit LivingAgents(NodeCore& node) noexcept : node_(node) {}

  void began() noexcept { count_.fetch_add(1); }
  void ended() noexcept;
  std::size_t count() const noexcept { return count_.load(); }
  // Waits until all agents have ended, or until `is_enough` is true; the code that makes it true
  // then calls look_again_who_waits(). Throws Errc::wrong_thread on a worker.
  void wait_for_end(const std::atomic<bool>* is_enough = nullptr);
  void look_again_who_waits() noexcept;

 private:
  NodeCore& node_;
  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;  // held by those who notify, so that no waiting thread misses it
  std::condition_variable changed_;
};

}  // namespace coracle::detail
