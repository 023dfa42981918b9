#include "timers.hpp"

#include "worker.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

constexpr std::uint32_t is_ringing = TimerNode::idle - 1;  // the place of a ringing node

}  // namespace

void Timers::place(std::size_t where, TimerNode* node) noexcept {
  heap_[where] = node;
  node->place = static_cast<std::uint32_t>(where);
}

void Timers::rise(std::size_t where) noexcept {
  TimerNode* const node = heap_[where];
  while (where > 0 && node->when < heap_[(where - 1) / 2]->when) {
    place(where, heap_[(where - 1) / 2]);
    where = (where - 1) / 2;
  }
  place(where, node);
}

void Timers::sink(std::size_t where) noexcept {
  TimerNode* const node = heap_[where];
  for (;;) {
    std::size_t child = 2 * where + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1]->when < heap_[child]->when) ++child;
    if (!(heap_[child]->when < node->when)) break;
    place(where, heap_[child]);
    where = child;
  }
  place(where, node);
}

void Timers::add(TimerNode& node) {
  heap_.push_back(&node);
  rise(heap_.size() - 1);
}

void Timers::remove(TimerNode& node) noexcept {
  if (node.place == is_ringing) [[unlikely]] {
    node.place = TimerNode::idle;
    std::erase(ringing_, &node);
    return;
  }
  const std::size_t where = node.place;
  node.place = TimerNode::idle;
  TimerNode* const last = heap_.back();
  heap_.pop_back();
  if (last == &node) return;
  place(where, last);
  rise(where);
  sink(last->place);
}

TimerNode* Timers::take_due(Time now) noexcept {
  if (heap_.empty() || heap_.front()->when > now) return nullptr;
  TimerNode* const due = heap_.front();
  remove(*due);
  return due;
}

void Timers::ring_all() noexcept {
  while (TimerNode* const node = take_due(Time::max())) {
    ringing_.push_back(node);
    node->place = is_ringing;
  }
  std::reverse(ringing_.begin(), ringing_.end());
}

TimerNode* Timers::ring_next() noexcept {
  if (ringing_.empty()) return nullptr;
  TimerNode* const node = ringing_.back();
  ringing_.pop_back();
  node->place = TimerNode::idle;
  return node;
}

void TimerNode::arm(Worker& worker, Time at) {
  if (place != idle) disarm();
  owner = &worker;
  when = at;
  if (at != Time::max()) worker.scheduler.timers().add(*this);
}

void TimerNode::disarm() noexcept { owner->scheduler.timers().remove(*this); }

}  // namespace coracle::detail
