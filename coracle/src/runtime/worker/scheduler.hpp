// The coroutines of one worker: those that are ready, that begin, and that wait for time.
#pragma once

#include "coracle/detail/waiting.hpp"
#include "run_times.hpp"
#include "timers.hpp"
#include "turn_length.hpp"

#include <coroutine>
#include <deque>
#include <utility>

namespace coracle {

class Driver;

namespace detail {

class Scheduler {
 public:
  // Lets a coroutine continue, after those that are ready already.
  void schedule(Waiting& waiting) noexcept {
    waiting.unlink();
    ready_.push_back(waiting);
  }
  // The same for a coroutine to which the running one hands a message.
  void schedule_next(Waiting& waiting) noexcept {
    schedule(waiting);
    woken_ = &waiting;
  }
  // A coroutine waits for something that is not a message.
  void wait(Waiting& waiting) noexcept { waits_.push_back(waiting); }
  // The same for an agent that lets time pass, and for one that waits for a computation.
  void pause(Waiting& waiting) noexcept { pauses_.push_back(waiting); }
  void compute(Waiting& waiting) noexcept { computations_.push_back(waiting); }
  Link& pauses() noexcept { return pauses_; }
  Link& computations() noexcept { return computations_; }
  // Returns whether a coroutine that could continue shall let others run first.
  bool spent() noexcept { return --budget_ < 0; }
  void begin(Agent& agent, std::coroutine_handle<> frame);
  void cancel_begin(const Agent& agent) noexcept;
  // Ends every wait, without what it waited for.
  void end_waits() noexcept;

  bool has_ready() const noexcept { return ready_.linked(); }
  // Returns whether a coroutine is ready or begins.
  bool has_work() const noexcept { return ready_.linked() || !starting_.empty(); }
  // Each returns whether there was anything.
  bool run_ready() noexcept;
  bool run_timers(Time present) noexcept;
  // Resumes one of the coroutines that are ready or begin; returns false if there is none. Those
  // that begin can come first, as they would beside others that keep each other busy.
  bool run_one_by(Driver& driver, bool starts_first) noexcept;

  // The coroutine that runs now is one of that agent, for run_times().
  void runs(const Mailbox& agent) noexcept { runs_ = &agent; }
  RunTimes& run_times() noexcept { return run_times_; }

  TurnLength& length() noexcept { return length_; }
  Timers& timers() noexcept { return timers_; }

 private:
  int run_chain(Waiting& first) noexcept;
  void resume(std::coroutine_handle<> frame) {
    if (run_times_.is_on()) [[unlikely]]
      return resume_measured(frame);
    frame.resume();
  }
  void resume_measured(std::coroutine_handle<> frame);

  Link ready_;
  Waiting* woken_ = nullptr;  // the last to which the running coroutine handed a message
  Link waits_, pauses_, computations_;
  int budget_ = 0;
  const Mailbox* runs_ = nullptr;
  RunTimes run_times_;
  TurnLength length_;
  Timers timers_;
  std::deque<std::pair<Agent*, std::coroutine_handle<>>> starting_;
};

}  // namespace detail

}  // namespace coracle
