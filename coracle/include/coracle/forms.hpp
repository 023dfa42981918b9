// The forms that agents often have: done once, done again and again, done at a fixed pace.
#pragma once

#include "coracle/agent.hpp"

namespace coracle {

// Does one thing and ends.
class OneShotAgent : public Agent {
 public:
  Task<> run() final { return act(); }

 protected:
  // What it does.
  virtual Task<> act() = 0;
};

// Does something again and again until it says finish().
class CyclicAgent : public Agent {
 public:
  Task<> run() final;

 protected:
  // One cycle. Between two of them the other agents of the worker get their turn.
  virtual Task<> cycle() = 0;
  // The cycle under way is the last one.
  void finish() noexcept { finished_ = true; }

 private:
  bool finished_ = false;
};

// Does something at a fixed pace until it says finish(). The pace does not drift; ticks that a long
// one ran over are skipped, and counted.
class TimedAgent : public Agent {
 public:
  explicit TimedAgent(Duration period) noexcept : period_(period) {}
  Task<> run() final;

 protected:
  // One tick.
  virtual Task<> tick() = 0;
  // The tick under way is the last one.
  void finish() noexcept { finished_ = true; }
  // How many ticks were skipped so far.
  std::uint64_t skipped() const noexcept { return skipped_; }

 private:
  Duration period_;
  std::uint64_t skipped_ = 0;
  bool finished_ = false;
};

}  // namespace coracle
