#include "driven_nodes.hpp"

#include <algorithm>

namespace coracle::sim::detail {

void DrivenNodes::remove(Driven& node) noexcept {
  std::erase_if(nodes_, [&node](const Driving& each) { return each.node == &node; });
}

void DrivenNodes::pause(unsigned host, Time until) noexcept {
  for (Driving& each : nodes_) {
    if (each.host != host || each.rests_until == frozen) continue;
    each.rests_until = until;
  }
}

void DrivenNodes::occupy(unsigned host, Time now, Duration span) noexcept {
  for (Driving& each : nodes_) {
    if (each.host != host || each.rests_until == frozen) continue;
    each.rests_until = std::max(each.rests_until, now) + span;
  }
}

void DrivenNodes::freeze(unsigned host) noexcept {
  for (Driving& each : nodes_) {
    if (each.host == host) each.rests_until = frozen;
  }
}

void DrivenNodes::thaw(Driven* node) noexcept {
  for (Driving& each : nodes_) {
    if (each.node == node && each.rests_until == frozen) each.rests_until = Time();
  }
}

const std::vector<DrivenNodes::Part>& DrivenNodes::find_ready(Time now) {
  ready_.clear();
  std::size_t after_last = 0;
  unsigned first = 0;
  for (const Driving& each : nodes_) {
    numbers_.clear();
    if (each.rests_until <= now) each.node->add_ready(numbers_);
    for (const unsigned number : numbers_) {
      if (first + number <= last_part_) ++after_last;
      ready_.push_back({each.node, number, first + number});
    }
    first += each.node->parts();
  }
  std::rotate(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(after_last),
              ready_.end());
  return ready_;
}

DrivenNodes::Alarm DrivenNodes::next_alarm(Time now) {
  Alarm next;
  for (const Driving& each : nodes_) {
    const Time rest = each.rests_until;
    if (rest == frozen) continue;
    numbers_.clear();
    if (rest > now) each.node->add_ready(numbers_);
    if (!numbers_.empty()) {  // it goes on after its rest
      next.when = std::min(next.when, rest);
      next.only_renews = false;
    }
    next.when = std::min(next.when, std::max(each.node->next_alarm(), rest));
    next.only_renews = next.only_renews && each.node->only_renews();
  }
  return next;
}

std::string DrivenNodes::waits() const {
  std::string lines;
  for (const Driving& each : nodes_) lines += each.node->waits();
  return lines;
}

}  // namespace coracle::sim::detail
