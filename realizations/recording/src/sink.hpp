// The target of the lines of a recording: a file, or a comparison with another recording.
#pragma once

#include "coracle/recording/recording.hpp"

#include <memory>

namespace coracle::recording {

// Used by all workers of a society at once.
class Sink {
 public:
  virtual ~Sink() = default;
  // A message was sent; returns its number.
  virtual MessageId say(Said said) noexcept = 0;
  virtual void happen(Happened happened) noexcept = 0;
};

// An observer for the node of that number, which writes what it observes as lines. With
// `only_marked`, it is that of the agents that an operator has marked, 4,096 at most.
std::shared_ptr<Observer> transcriber(std::shared_ptr<Sink> sink, unsigned node,
                                      bool only_marked = false);

}  // namespace coracle::recording
