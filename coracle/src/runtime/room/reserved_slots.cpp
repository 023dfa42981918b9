#include "reserved_slots.hpp"

#include "runtime/node/node_core.hpp"

#include <algorithm>

namespace coracle::detail {

void ReservedSlots::keep(LeaseId origin, std::uint64_t number) {
  slots_.try_emplace({origin, number}, Slot{home_.now()});
  if (place == idle) arm(home_, home_.now() + use_within);
}

ReservedSlots::State ReservedSlots::end(LeaseId origin, std::uint64_t number) noexcept {
  const auto found = slots_.find({origin, number});
  if (found == slots_.end()) return State::none;
  const bool has_lapsed = found->second.has_lapsed;
  erase(found);
  return has_lapsed ? State::lapsed : State::kept;
}

std::uint32_t ReservedSlots::end_all(LeaseId origin) noexcept {
  std::uint32_t kept = 0;
  for (auto at = slots_.lower_bound({origin, 0});
       at != slots_.end() && at->first.origin == origin;) {
    if (!at->second.has_lapsed) ++kept;
    at = erase(at);
  }
  return kept;
}

ReservedSlots::Slots::iterator ReservedSlots::erase(Slots::iterator at) noexcept {
  if (at->second.has_lapsed) {
    const auto count = lapsed_.find(at->first.origin);
    if (--count->second == 0) {
      mailbox_.extension->tickets.unblock(at->first.origin);
      lapsed_.erase(count);
    }
  }
  const auto next = slots_.erase(at);
  if (slots_.empty() && place != idle) disarm();
  return next;
}

void ReservedSlots::on_time(TimerNode& timer) noexcept {
  static_cast<ReservedSlots&>(timer).look();
}

void ReservedSlots::look() {
  const Time now = home_.now();
  Time next = Time::max();
  std::uint32_t freed = 0;
  for (auto at = slots_.begin(); at != slots_.end();) {
    Slot& state = at->second;
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
  if (!slots_.empty()) arm(home_, std::max(next, now + use_within / 4));
  mailbox_.claimed.fetch_sub(freed);
  home_.room.grant(mailbox_);
}

}  // namespace coracle::detail
