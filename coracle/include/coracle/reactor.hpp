// An idle worker waits in a reactor: for sockets, for its next alarm, or to be woken. A realization
// that must wait for something supplies a reactor for the node's first worker
// (Realization::reactor).
// Realizations: a plain one in the runtime, the one of the links in realizations/net, a user's own.
#pragma once

#include "coracle/clock.hpp"

#include <memory>

namespace coracle {

// Every function but wake() is called on the thread of the worker that waits there, or, if that has
// none, on the thread that takes its turn.
class Reactor {
 public:
  virtual ~Reactor() = default;

  // Handles the events that are ready, without waiting; returns whether there were any.
  virtual bool poll() = 0;
  // Waits until an event is ready, for at most `longest`, and handles it.
  virtual void wait(Duration longest) = 0;
  // Ends the present wait, or the next one. May be called from any thread.
  virtual void wake() = 0;
  // Returns whether poll() has something to do: called by a driver, under which nobody waits.
  virtual bool is_ready() { return false; }
  // Is called at the end of a worker's turn: sends out what was sent in that turn.
  virtual void flush() {}
  // For a node without threads (NodeOptions::workers = 0), which calls neither wait() nor wake():
  // a descriptor that is readable when poll() has something to do; negative if there is none.
  virtual int descriptor() const noexcept { return -1; }
  // Before somebody waits at the descriptor: handles what it would not tell of; returns whether
  // there was anything.
  virtual bool settle() { return poll(); }
};

namespace detail {

// A reactor that waits only for wake().
std::shared_ptr<Reactor> plain_reactor();

}  // namespace detail

}  // namespace coracle
