#include "event_queue.hpp"

#include <algorithm>
#include <utility>

namespace coracle::net {

void EventQueue::at(Time when, Action action) {
  std::size_t place = actions_.size();
  if (free_.empty()) {
    actions_.push_back(std::move(action));
  } else {
    place = free_.back();
    free_.pop_back();
    actions_[place] = std::move(action);
  }
  heap_.push_back({when, next_number_++, place});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

bool EventQueue::run_one() {
  if (heap_.empty() || heap_.front().when > now()) return false;
  std::pop_heap(heap_.begin(), heap_.end(), later);
  const std::size_t place = heap_.back().action;
  const Action action = std::exchange(actions_[place], nullptr);
  heap_.pop_back();
  free_.push_back(place);
  action();
  return true;
}

std::size_t EventQueue::run_due() {
  std::size_t count = 0;
  while (run_one()) ++count;
  return count;
}

}  // namespace coracle::net
