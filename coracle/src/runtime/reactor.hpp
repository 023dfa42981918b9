// Where an idle worker waits: for sockets, for its next alarm, or to be woken. Asio behind it.
#pragma once

#include "coracle/clock.hpp"

#include <memory>

namespace coracle::detail {

class Reactor {
 public:
  virtual ~Reactor() = default;

  // Does what is ready without waiting; returns whether there was anything.
  virtual bool poll() = 0;
  // Waits until something is ready, for at most `longest`, and does it.
  virtual void wait(Duration longest) = 0;
  // Ends the wait that is under way, or the next one. From any thread.
  virtual void wake() = 0;
};

// One that waits inside an Asio context.
std::unique_ptr<Reactor> asio_reactor();

}  // namespace coracle::detail
