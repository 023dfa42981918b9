// An alarm that can be cancelled.
#pragma once

#include "coracle/agent.hpp"

namespace coracle {

// Belongs to one agent, whose tasks use it: one task waits, another may cancel.
class Timer : private detail::TimerNode {
 public:
  // An alarm of `agent`, not yet set.
  explicit Timer(Agent& agent) noexcept : TimerNode(&on_time), agent_(agent) {}
  Timer(const Timer&) = delete;

  // Sets the alarm; replaces an earlier time.
  void set(Deadline when);
  // Cancels the alarm: a task that waits for it resumes with `false`.
  void cancel() noexcept;
  // Returns whether the alarm is set and has not rung yet.
  bool is_set() const noexcept { return place != idle; }

  // When awaited, gives true when the alarm rang, false when it was cancelled.
  class Wait;
  // Waits for the alarm, which must be set.
  Wait rung() noexcept;

 private:
  static void on_time(detail::TimerNode& node) noexcept;
  void wake(bool rang) noexcept;

  Agent& agent_;
  detail::Waiting* waiting_ = nullptr;
  bool rang_ = false;
};

// Waits for a timer.
class Timer::Wait : public detail::Waiting {
 public:
  explicit Wait(Timer& timer) noexcept : timer_(timer) {}
  ~Wait();
  bool await_ready() const noexcept { return !timer_.is_set(); }
  void await_suspend(std::coroutine_handle<> awaiting) noexcept;
  bool await_resume() const noexcept { return timer_.rang_; }

 private:
  Timer& timer_;
};

inline Timer::Wait Timer::rung() noexcept { return Wait(*this); }

}  // namespace coracle
