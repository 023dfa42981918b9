// The calls into a node from threads that are none of its workers.
#pragma once

#include "coracle/task.hpp"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

namespace coracle::detail {

class NodeCore;
class Worker;

// Safe to call from every thread.
class OutsideCalls {
 public:
  explicit OutsideCalls(NodeCore& node) noexcept : node_(node) {}

  // The workers remain between enter() and leave(), on whatever threads these are called. enter()
  // fails with Errc::stopped.
  void enter();
  void leave() noexcept;
  // Runs a coroutine on a worker and waits for it, from a thread that is not a worker.
  void run_blocking(Worker& worker, const std::function<Task<>()>& body);
  // Returns whether a call is under way.
  bool is_any();
  // Makes each later enter() fail, and waits until all calls under way have returned.
  void close();

 private:
  NodeCore& node_;
  std::mutex mutex_;  // guards the members that follow
  std::condition_variable changed_;
  std::size_t calls_ = 0;  // under way
  bool is_closed_ = false;
};

}  // namespace coracle::detail
