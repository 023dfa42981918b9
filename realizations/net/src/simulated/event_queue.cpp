#include "event_queue.hpp"

#include <algorithm>
#include <utility>

namespace coracle::net {

void EventQueue::at(Time when, Action action) {
  heap_.push_back({when, next_number_++, std::move(action)});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

bool EventQueue::run_one() {
  if (heap_.empty() || heap_.front().when > now()) return false;
  std::pop_heap(heap_.begin(), heap_.end(), later);
  const Action action = std::move(heap_.back().action);
  heap_.pop_back();
  action();
  return true;
}

std::size_t EventQueue::run_due() {
  std::size_t count = 0;
  while (run_one()) ++count;
  return count;
}

}  // namespace coracle::net
