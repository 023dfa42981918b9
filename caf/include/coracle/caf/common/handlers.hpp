// The handlers of an agent: the functions of its user that handle messages. They run beside the
// loop that reads the messages, one after another. Tests: tests/contracts/slow_test.cpp.
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
// that leaves a task ends the agent, as an exception that leaves run() does. Waiting tasks end with
// the agent.
class Handlers final : private detail::RootTask {
 public:
  // `freed` runs in the agent each time that handlers have waited and none is left.
  explicit Handlers(Agent& self, std::function<Task<>()> freed = {}) noexcept
      : self_(self), freed_(std::move(freed)) {}
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;
  ~Handlers() = default;

  // Runs `handler` after the handlers before it. If there are none, `handler` begins at once; if it
  // then ends without waiting, it does so before run() returns, and run() throws what the handler
  // throws.
  void run(Task<> handler);
  // Returns true if no handler is running.
  bool is_free() const noexcept { return !is_busy_; }
  // The number of handlers that wait for those before them.
  std::size_t waiting() const noexcept {
    return rest_ == nullptr ? 0 : rest_->waiting.size() - rest_->next;
  }

 private:
  // The handler that began at once and now waits for something, and the handlers that came after
  // it. They live in a task of the agent, so that the messages which they hold are given back like
  // those of other tasks.
  struct Rest {
    Task<> first;
    // The handlers from index `next` on. The vector needs no memory before there is one.
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
  std::unique_ptr<Rest> own_;  // until a task takes it over
  Rest* rest_ = nullptr;
  std::coroutine_handle<> awaiting_;  // the task that waits for the end of the first handler
  std::exception_ptr error_;          // the exception that has left the first handler
  bool is_busy_ = false;
  bool has_ended_ = false;  // true if the first handler has ended
};

}  // namespace coracle::caf
