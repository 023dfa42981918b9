// One event that a coroutine of a worker waits for and that any thread may cause, once.
// Tests: coracle/tests/runtime/awaited_signal_test.cpp, bindings/c/tests.
#pragma once

#include "coracle/detail/waiting.hpp"

#include <coroutine>
#include <memory>

namespace coracle::detail {

class Signal;
struct SignalState;

// An awaitable that gives false at the deadline. Fails with Errc::stopped when the node stops
// first.
class [[nodiscard]] SignalWait final : public Waiting, private TimerNode {
 public:
  SignalWait(const Signal& signal, Deadline deadline) noexcept;
  ~SignalWait();
  bool await_ready() const noexcept;
  void await_suspend(std::coroutine_handle<> awaiting) noexcept;
  bool await_resume() const;

 private:
  friend struct SignalState;
  static void on_time(TimerNode& timer) noexcept;

  const std::shared_ptr<SignalState> state_;
  const Deadline deadline_;
  bool late_ = false;
};

// Copies are the same signal. One coroutine waits for it at a time. When the wait ends, everything
// is done that was posted to the coroutine's worker before the signal was set.
class Signal {
 public:
  Signal();

  // Only the first call counts. Returns false if it was set before, or if nobody waits any more,
  // because the last wait was given up. May be called from any thread, also when the node has gone.
  bool set() const noexcept;
  // Returns whether somebody waits, or may still begin to wait, and it is not set. May be called
  // from any thread.
  bool is_open() const noexcept;
  SignalWait wait(Deadline deadline = Deadline::never()) const noexcept {
    return SignalWait(*this, deadline);
  }

 private:
  friend class SignalWait;
  std::shared_ptr<SignalState> state_;
};

}  // namespace coracle::detail
