// Common forms of agents: one that acts once, one that acts in cycles, one that acts at a fixed
// pace.
#pragma once

#include "coracle/agent.hpp"

namespace coracle {

// Does one thing and ends.
class OneShotAgent : public Agent {
 public:
  Task<> run() final { return act(); }

 protected:
  // The action.
  virtual Task<> act() = 0;
};

// Does cycles again and again until it calls finish().
class CyclicAgent : public Agent {
 public:
  Task<> run() final;

 protected:
  // One cycle. Between two cycles the other agents of the worker run.
  virtual Task<> cycle() = 0;
  // Makes the present cycle the last one.
  void finish() noexcept { finished_ = true; }

 private:
  bool finished_ = false;
};

// Does ticks at a fixed pace until it calls finish(). The pace does not drift. Ticks that fall due
// while an earlier one still runs are skipped, and counted.
class TimedAgent : public Agent {
 public:
  explicit TimedAgent(Duration period) noexcept : period_(period) {}
  Task<> run() final;

 protected:
  // One tick.
  virtual Task<> tick() = 0;
  // Makes the present tick the last one.
  void finish() noexcept { finished_ = true; }
  // The number of ticks that were skipped so far.
  std::uint64_t skipped() const noexcept { return skipped_; }

 private:
  Duration period_;
  std::uint64_t skipped_ = 0;
  bool finished_ = false;
};

}  // namespace coracle
