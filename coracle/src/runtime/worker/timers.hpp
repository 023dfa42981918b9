// A worker's alarms: a heap of nodes that are parts of the objects that wait for them.
#pragma once

#include "coracle/detail/waiting.hpp"

#include <vector>

namespace coracle::detail {

class Timers {
 public:
  bool empty() const noexcept { return heap_.empty(); }
  std::size_t size() const noexcept { return heap_.size(); }
  // Returns the time of the earliest alarm; Time::max() if there is none.
  Time next() const noexcept { return heap_.empty() ? Time::max() : heap_.front()->when; }
  void add(TimerNode& node);
  void remove(TimerNode& node) noexcept;
  // Takes the earliest alarm that is due; nullptr if none is.
  TimerNode* take_due(Time now) noexcept;
  // Makes ring_next() ring every alarm that is set now, whatever its time, but none that is set
  // meanwhile. An alarm that is disarmed before its turn does not ring.
  void ring_all() noexcept;
  // Takes the next of these alarms; nullptr after the last.
  TimerNode* ring_next() noexcept;

 private:
  void place(std::size_t where, TimerNode* node) noexcept;
  void rise(std::size_t where) noexcept;
  void sink(std::size_t where) noexcept;

  std::vector<TimerNode*> heap_;
  std::vector<TimerNode*> ringing_;  // the latest first
};

}  // namespace coracle::detail
