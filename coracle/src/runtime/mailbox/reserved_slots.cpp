#include "reserved_slots.hpp"

#include "runtime/node/node_core.hpp"

#include <algorithm>

namespace coracle::detail {

void ReservedSlots::keep(LeaseId origin, std::uint64_t number) {
  places_.try_emplace({origin, number}, State{home_.now()});
  if (place == idle) arm(home_, home_.now() + use_within);
}

ReservedSlots::Place ReservedSlots::end(LeaseId origin, std::uint64_t number) noexcept {
  const auto found = places_.find({origin, number});
  if (found == places_.end()) return Place::none;
  const bool has_lapsed = found->second.has_lapsed;
  erase(found);
  return has_lapsed ? Place::lapsed : Place::kept;
}

std::uint32_t ReservedSlots::end_all(LeaseId origin) noexcept {
  std::uint32_t kept = 0;
  for (auto at = places_.lower_bound({origin, 0});
       at != places_.end() && at->first.origin == origin;) {
    if (!at->second.has_lapsed) ++kept;
    at = erase(at);
  }
  return kept;
}

ReservedSlots::Places::iterator ReservedSlots::erase(Places::iterator at) noexcept {
  if (at->second.has_lapsed) {
    const auto count = lapsed_.find(at->first.origin);
    if (--count->second == 0) {
      mailbox_.extension->tickets.unblock(at->first.origin);
      lapsed_.erase(count);
    }
  }
  const auto next = places_.erase(at);
  if (places_.empty() && place != idle) disarm();
  return next;
}

void ReservedSlots::on_time(TimerNode& timer) noexcept {
  static_cast<ReservedSlots&>(timer).look();
}

void ReservedSlots::look() {
  const Time now = home_.now();
  Time next = Time::max();
  std::uint32_t freed = 0;
  for (auto at = places_.begin(); at != places_.end();) {
    State& state = at->second;
    if (!state.has_lapsed && state.since + use_within <= now) {
      state.has_lapsed = true;
      ++freed;
      if (++lapsed_[at->first.origin] == 1) mailbox_.extension->tickets.block(at->first.origin);
    }
    const Time end = state.since + (state.has_lapsed ? forgotten_after : use_within);
    if (end <= now) {
      at = erase(at);
      continue;
    }
    next = std::min(next, end);
    ++at;
  }
  // The timer does not ring for each slot at its own time: it visits all of them each time.
  if (!places_.empty()) arm(home_, std::max(next, now + use_within / 4));
  mailbox_.claimed.fetch_sub(freed);
  home_.room.grant(mailbox_);
}

}  // namespace coracle::detail
