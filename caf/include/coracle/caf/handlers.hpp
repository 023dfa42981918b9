// The handlers of an agent: the functions by which its user answers messages. They run beside the
// loop that reads the messages, one after another. Contract: tests/contracts/slow_test.cpp.
#pragma once

#include "coracle/agent.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace coracle::caf {

// Runs tasks of one agent, in the order in which they were given, never two at a time. An exception
// that leaves one ends the agent, as it would leaving run(). What waits ends with the agent.
class Handlers final : private detail::RootTask {
 public:
  // `freed` runs in the agent each time that handlers have waited and none is left.
  explicit Handlers(Agent& self, std::function<Task<>()> freed = {}) noexcept
      : self_(self), freed_(std::move(freed)) {}
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;
  ~Handlers() = default;

  // Runs `handler` after those before it. Where there are none, it begins at once; when it ends
  // without waiting, that is before this returns, and what it throws is thrown here.
  void run(Task<> handler);
  // Whether none is running.
  bool is_free() const noexcept { return !is_busy_; }
  // How many wait for those before them.
  std::size_t waiting() const noexcept {
    return rest_ == nullptr ? 0 : rest_->waiting.size() - rest_->next;
  }

 private:
  // The one that began at once and now waits for something, and those that came after it. They live
  // in a task of the agent, so that the messages which they hold are given back as those of tasks.
  struct Rest {
    Task<> first;
    // Those from `next` on; needs no memory before there is one.
    std::vector<Task<>> waiting;
    std::size_t next = 0;

    Task<> take();
  };
  struct FirstEnded;

  Task<> go_on(std::unique_ptr<Rest> rest);
  Rest& rest();
  void on_root_done(std::coroutine_handle<> frame, std::exception_ptr error) noexcept override;

  Agent& self_;
  std::function<Task<>()> freed_;
  std::unique_ptr<Rest> own_;  // until there is a task for it
  Rest* rest_ = nullptr;
  std::coroutine_handle<> awaiting_;  // the end of the first
  std::exception_ptr error_;          // that has left the first
  bool is_busy_ = false;
  bool has_ended_ = false;  // the first
};

}  // namespace coracle::caf
