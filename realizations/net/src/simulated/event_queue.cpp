#include "event_queue.hpp"

#include <utility>

namespace coracle::net {

void EventQueue::at(Time when, Action action) {
  events_.emplace(Place(when, next_number_++), std::move(action));
}

bool EventQueue::run_one() {
  if (events_.empty() || next_event_time() > now()) return false;
  const auto event = events_.extract(events_.begin());
  event.mapped()();
  return true;
}

std::size_t EventQueue::run_due() {
  std::size_t count = 0;
  while (run_one()) ++count;
  return count;
}

}  // namespace coracle::net
