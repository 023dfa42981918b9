// Where servers and clients of HTTP do their work: on a thread of the loop's own, on the first
// worker of a node, or on a thread of the program. Tests: gateways/http/tests/loop_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/reactor.hpp"

#include <functional>
#include <memory>

namespace coracle::http {

class LoopState;

// A loop. One thread at a time runs it; handlers of servers and clients are called there.
class Loop {
 public:
  Loop();
  // Ends the loop's thread. Servers and clients of the loop are destroyed before.
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Begins a thread that runs the loop.
  void start();
  // Returns a reactor for a node, whose first worker then runs the loop beside the reactor of its
  // realization: `realization.reactor = loop.reactor(realization.reactor)`. So a request needs no
  // change of threads. Fails with Errc::unsupported if that reactor has no descriptor.
  std::shared_ptr<Reactor> reactor(std::shared_ptr<Reactor> other = nullptr);
  // Runs the loop on this thread until `is_over`, which is called after each round, returns true,
  // or until the deadline; returns whether it is over.
  bool run_until(const std::function<bool()>& is_over, Deadline deadline = Deadline::never());

  // Calls a function soon on the thread that runs the loop. May be called from any thread.
  void post(std::function<void()> what);

  // The library's record of the loop.
  const std::shared_ptr<LoopState>& state() const noexcept { return state_; }

 private:
  class Thread;

  std::shared_ptr<LoopState> state_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace coracle::http
