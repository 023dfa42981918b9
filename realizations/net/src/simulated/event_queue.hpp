// The future events of a simulated world, by its virtual clock.
#pragma once

#include "coracle/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace coracle::net {

// Runs actions in the order of their times; actions of one time run in the order in which they were
// added. The owner of the clock moves it to next_event_time() and calls run_due().
class EventQueue {
 public:
  using Action = std::function<void()>;

  // `clock` outlives the queue.
  explicit EventQueue(const Clock& clock) : clock_(clock) {}
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  Time now() const { return clock_.now(); }

  // Runs `action` at `when`, or with the next run if that has passed.
  void at(Time when, Action action);
  // Runs `action` when `span` has passed.
  void after(Duration span, Action action) { at(now() + span, std::move(action)); }

  // The time of the next action; Time::max() when there is none.
  Time next_event_time() const {
    return events_.empty() ? Time::max() : events_.begin()->first.first;
  }
  // Runs the next action if it is due; returns whether there was one.
  bool run_one();
  // Runs everything that is due, and actions that are added meanwhile and are due as well; returns
  // how many there were.
  std::size_t run_due();

 private:
  // When it runs, and how many were added before it.
  using Place = std::pair<Time, std::uint64_t>;

  const Clock& clock_;
  std::map<Place, Action> events_;
  std::uint64_t next_number_ = 0;
};

}  // namespace coracle::net
