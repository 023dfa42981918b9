// The standstill of all workers of a node for a moment.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

namespace coracle::detail {

class NodeCore;

class Standstill {
 public:
  explicit Standstill(NodeCore& node) noexcept : node_(node) {}

  // Runs `look` while every worker stands still between two turns.
  void while_all_pause(const std::function<void()>& look);
  // On a worker, between two turns: stands still if a pause was requested.
  void pause_if_asked() noexcept {
    if (is_asked_.load(std::memory_order_acquire)) stand_still();
  }
  bool is_asked() const noexcept { return is_asked_.load(std::memory_order_seq_cst); }

 private:
  void stand_still() noexcept;

  NodeCore& node_;
  std::atomic<bool> is_asked_{false};
  std::mutex asking_;  // only one thread at a time may ask for a pause
  std::mutex mutex_;   // guards paused_
  std::condition_variable changed_;
  std::size_t paused_ = 0;
};

}  // namespace coracle::detail
