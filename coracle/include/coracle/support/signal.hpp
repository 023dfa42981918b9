// One event that a coroutine of a worker waits for and that any thread may cause, once.
#pragma once

#include "coracle/detail/waiting.hpp"

#include <memory>

namespace coracle::detail {

class Signal;
struct SignalState;

// An awaitable that gives false at the deadline. Fails with Errc::stopped.
class SignalWait final : public Waiting, private TimerNode {
 public:
  SignalWait(const Signal& signal, Deadline deadline) noexcept;
  ~SignalWait();
  bool await_ready() const noexcept;
  void await_suspend(std::coroutine_handle<> awaiting) noexcept;
  bool await_resume() const;

 private:
  friend struct SignalState;
  static void on_time(TimerNode& timer) noexcept;

  std::shared_ptr<SignalState> state_;
  Deadline deadline_;
  bool late_ = false;
};

// Copies are the same signal.
class Signal {
 public:
  // For a coroutine of the worker that runs now. Fails with Errc::wrong_thread on another thread.
  Signal();
  // For a coroutine of that worker.
  explicit Signal(Worker& home);

  // May be called from any thread; only the first call counts.
  void set() const noexcept;
  SignalWait wait(Deadline deadline = Deadline::never()) const noexcept {
    return SignalWait(*this, deadline);
  }

 private:
  friend class SignalWait;
  std::shared_ptr<SignalState> state_;
};

}  // namespace coracle::detail
