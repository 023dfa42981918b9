// The inside of a loop: an Asio context, and what other threads ask of it. A mutex, held while the
// context runs, guards the loop and all that belongs to it; so any thread may run it, one at a
// time.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/http/loop.hpp"
#include "io/alarms.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace coracle::http {

class LoopState {
 public:
  LoopState();
  ~LoopState();
  LoopState(const LoopState&) = delete;

  // --- from any thread ---
  // Calls `what` soon, on the thread that runs the loop.
  void post(std::function<void()> what);
  // Calls `what`, now if this thread runs the loop; else waits until it is done.
  void call(const std::function<void()>& what);
  // Waits until `is_done`, which is called by the thread that runs the loop, or until the deadline;
  // returns whether it is done. If nobody runs the loop, this thread does: a node may have stopped.
  bool wait_until(const std::function<bool()>& is_done, Deadline deadline);
  // Ends the present wait(), or the next one.
  void wake() noexcept;
  bool is_here() const noexcept;
  // Ends the loop: does what is ready, and drops everything else, also what is posted later.
  void end();
  // Calls `what` on this thread; it may have to wait while another one runs the loop.
  void enter(const std::function<void()>& what);

  // --- running, by one thread at a time; another one waits meanwhile ---
  // Does what is ready; returns whether there was anything.
  bool poll();
  // Waits until something is ready, for at most `longest`, and does it.
  void wait(Duration longest);
  // Does what was posted, and writes what waits to be written.
  void flush() {
    if (!has_work_.load()) return;
    settle();
    if (is_watched_.load()) pass_on();
  }
  // From now on this thread calls flush() at the end of every turn of its worker; what is posted in
  // such a turn wakes nobody.
  void set_flushed_here() noexcept;
  // Readable when there is something to do; whoever has it need not call wait().
  int descriptor() noexcept {
    is_watched_.store(true);
    return descriptor_;
  }

  // --- for what belongs to the loop ---
  boost::asio::io_context& context() noexcept { return context_; }
  Time now() const { return steady_clock().now(); }
  Alarms& alarms() noexcept { return alarms_; }
  // Calls `what` at the end of the present round: the bytes of many responses go out together.
  void at_end(std::function<void()> what) {
    at_end_.push_back(std::move(what));
    has_work_.store(true);
  }
  // Calls `what` in the next round: other work has its turn before.
  void later(std::function<void()> what) {
    later_.push_back(std::move(what));
    has_work_.store(true);
  }
  // Memory for bytes that are used at once.
  std::span<char> scratch() noexcept { return scratch_; }

 private:
  class Running;
  struct Waiter {
    const std::function<bool()>& is_done;
    bool result = false;
  };
  unsigned run_ready(unsigned most);
  // Does what was posted. The next call does the rest; wait() begins with one.
  void settle();
  // Wakes the thread that runs the loop if there is something left.
  void pass_on() noexcept;
  void do_posted();
  void look_for_waiters();
  void watch_wakes();
  void set_timer();

  std::mutex running_;  // guards the members up to the next mutex
  Alarms alarms_;       // outlives the handlers in the context
  std::vector<char> scratch_;
  std::vector<std::function<void()>> at_end_, later_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::posix::stream_descriptor wakes_;
  boost::asio::basic_waitable_timer<std::chrono::steady_clock> timer_;
  Time timer_at_ = Time::max();
  const int descriptor_;

  std::mutex posted_mutex_;  // guards the next members
  std::vector<std::function<void()>> posted_;
  bool is_over_ = false;

  std::atomic<bool> has_work_{false};    // settle() has something to do
  std::atomic<bool> is_watched_{false};  // somebody has the descriptor

  std::mutex waiters_mutex_;  // guards the next members
  std::condition_variable changed_;
  std::vector<Waiter*> waiters_;
};

}  // namespace coracle::http
