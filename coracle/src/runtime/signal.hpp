// One thing that a coroutine of a worker waits for and that any thread may make happen, once.
#pragma once

#include "runtime/command.hpp"
#include "runtime/worker.hpp"

#include <atomic>
#include <memory>

namespace coracle::detail {

class Signal;
struct SignalState;

// Awaited: false at the deadline. Fails with Errc::stopped.
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

// What both sides share; touched by the home worker only, but for its way there.
struct SignalState final : Command {
  void run(Worker& worker) override;

  Worker* home = nullptr;
  SignalWait* waiting = nullptr;
  bool done = false;
  std::atomic<bool> is_set{false};
  std::shared_ptr<SignalState> self;  // keeps it alive on its way
};

// Copies are the same signal.
class Signal {
 public:
  explicit Signal(Worker& home) : state_(std::make_shared<SignalState>()) { state_->home = &home; }

  // From any thread; only the first time counts.
  void set() const noexcept;
  SignalWait wait(Deadline deadline = Deadline::never()) const noexcept {
    return SignalWait(*this, deadline);
  }

 private:
  friend class SignalWait;
  std::shared_ptr<SignalState> state_;
};

}  // namespace coracle::detail
