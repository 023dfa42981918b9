// Where an idle worker waits: for sockets, for its next alarm, or to be woken. A transport that has
// something to wait for brings one along for the node's first worker (Transport::reactor()).
// Realizations: a plain one in the runtime, the one of the links in realizations/distributed.
#pragma once

#include "coracle/clock.hpp"

#include <memory>

namespace coracle {

// All but wake() is called on the thread of the worker that waits there.
class Reactor {
 public:
  virtual ~Reactor() = default;

  // Does what is ready without waiting; returns whether there was anything.
  virtual bool poll() = 0;
  // Waits until something is ready, for at most `longest`, and does it.
  virtual void wait(Duration longest) = 0;
  // Ends the wait that is under way, or the next one. From any thread.
  virtual void wake() = 0;
  // Whether poll() has something to do: asked by a driver, under which nobody waits.
  virtual bool is_ready() { return false; }
  // A turn of the worker is over: lets go out what was sent in it.
  virtual void flush() {}
};

namespace detail {

// One that waits for wake() alone.
std::shared_ptr<Reactor> plain_reactor();

}  // namespace detail

}  // namespace coracle
