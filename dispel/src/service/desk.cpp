#include "service/desk.hpp"

#include <algorithm>

namespace coracle::dispel::detail {

Desk::Desk(DeskLimits limits) : limits_(limits) {
  limits_.lanes = std::max(limits_.lanes, 1U);
  limits_.at_once = std::max(limits_.at_once, 1U);
  limits_.waiting = std::max(limits_.waiting, 1U);
  lines_.resize(limits_.lanes);
  turns_.resize(limits_.lanes);
  waiting_in_.resize(limits_.lanes);
  is_full_.resize(limits_.lanes);
}

Desk::Ticket Desk::take_place(Time deadline) {
  if (free_.empty()) {
    free_.push_back(static_cast<Ticket>(places_.size()));
    places_.emplace_back();
  }
  const Ticket ticket = free_.back();
  free_.pop_back();
  places_[ticket] = {deadline, none};
  return ticket;
}

// Clients without a request are kept, because they will soon have one, but only up to a limit.
void Desk::forget_idle(Lines& lines) const {
  if (lines.size() <= 2 * std::size_t{limits_.waiting}) return;
  std::erase_if(lines, [](const auto& each) { return each.second.count == 0; });
}

Desk::Verdict Desk::arrive(std::uint64_t client, std::uint32_t lane, Time deadline,
                           Ticket& ticket) {
  lane = std::min(lane, limits_.lanes - 1);
  forget_idle(lines_[lane]);
  Line& line = lines_[lane][client];
  if (line.count >= limits_.each) return Verdict::too_many_of_yours;
  ticket = take_place(deadline);
  if (line.count++ == 0) {
    line.first = ticket;
    turns_[lane].push_back(&line);
    highest_ = std::max<std::size_t>(highest_, lane);
  } else {
    places_[line.last].next = ticket;
  }
  line.last = ticket;
  if (++waiting_in_[lane] >= limits_.waiting) is_full_[lane] = some_full_ = true;
  ++waiting_;
  return Verdict::taken;
}

bool Desk::reopen() noexcept {
  if (!some_full_) return false;
  bool reopened = false;
  some_full_ = false;
  for (std::uint32_t lane = 0; lane < limits_.lanes; ++lane) {
    if (!is_full_[lane]) continue;
    if (waiting_in_[lane] > limits_.waiting / 2) some_full_ = true;
    else reopened = true, is_full_[lane] = false;
  }
  return reopened;
}

std::optional<Desk::Turn> Desk::next(Time now) {
  if (waiting_ == 0 || serving_ >= limits_.at_once) return std::nullopt;
  while (turns_[highest_].empty()) --highest_;
  std::deque<Line*>& turns = turns_[highest_];
  Line& line = *turns.front();
  turns.pop_front();
  const Ticket ticket = line.first;
  line.first = places_[ticket].next;
  if (--line.count > 0) turns.push_back(&line);
  --waiting_in_[highest_];
  --waiting_;
  const bool too_late = now >= places_[ticket].deadline;
  if (too_late) free_.push_back(ticket);
  else ++serving_;
  return Turn{ticket, too_late};
}

void Desk::finished(Ticket ticket) {
  --serving_;
  free_.push_back(ticket);
}

}  // namespace coracle::dispel::detail
