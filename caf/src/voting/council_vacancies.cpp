// The vacant seats of a council. The council does not wait for members whose names nobody holds.
#include "council_impl.hpp"

#include "coracle/errors.hpp"

#include <utility>

namespace coracle::caf {

namespace {

// From a council to itself: an agent has ended.
struct Stir {
  static constexpr std::string_view content_type = "coracle/caf/stir/v1";

  bool again = true;
};

// If the directory takes longer, the council waits for the members that were not looked up yet.
constexpr Duration looking_patience = std::chrono::seconds(2);
// The number of former members that are watched in addition to the present members.
constexpr std::size_t former_watched = 64;

}  // namespace

// Updates the presence of the members.
Task<> Council::look_for(const Electorate& members) {
  Vacancy& vacancy = *vacancy_;
  const Time end = now() + looking_patience;
  // One request to the directory gives the state of all that were vacant before.
  if (!vacancy.vacant.empty()) {
    const Name first = *vacancy.vacant.begin();
    const bool is_here = co_await vacancy.attendance.look_for(first);
    if (is_here) vacancy.vacant.erase(first);
    std::erase_if(vacancy.vacant, [&](const Name& each) { return vacancy.attendance.here(each); });
  }
  for (const Name& each : members.names()) {
    if (vacancy.watched.contains(each)) continue;
    if (now() >= end) co_return;
    const Name who = each;
    vacancy.watched.insert(who);
    const bool is_here = co_await vacancy.attendance.look_for(who);
    if (!is_here) vacancy.vacant.insert(who);
  }
}

std::string Council::fault_of_seats(const Electorate& members) const {
  for (const Name& each : members.names()) {
    if (!vacancy_->vacant.contains(each)) continue;
    return "nobody holds the name of its member '" + each.str() +
           "'; start that agent, or let the charter say that a vacant seat is absent";
  }
  return {};
}

void Council::give_up_vacant(OpenMotion& one) {
  const std::uint32_t step = one.sent;
  for (const Name& each : vacancy_->vacant) {
    const auto member = one.election.electorate().find(each);
    if (member) one.election.give_up(*member, nobody_holds_it, now());
    if (one.election.steps() != step) return;
  }
}

// Notes an ending. A council that has nothing to decide is not woken for it.
void Council::on_ending(const Ending& ending) {
  if (!vacancy_->watched.contains(ending.name)) return;
  vacancy_->vacant.insert(ending.name);
  if (open_.empty()) return;
  vacancy_->ended.push_back(ending);
  if (vacancy_->ended.size() == 1) spawn(nudge());
}

// Wakes the council. If there is no room for the message that does so, the mailbox has enough
// messages to wake it.
Task<> Council::nudge() {
  try {
    Content content = Content::of(Stir{});
    (void)co_await send_result(name(), std::move(content));
  } catch (const Error& error) {
    if (error.errc() != Errc::stopped) throw;
  }
}

Task<> Council::on_endings() {
  for (const Ending& ending : std::exchange(vacancy_->ended, {})) {
    const Name& who = ending.name;
    // The agent may have been created again meanwhile.
    if (vacancy_->attendance.here(who)) continue;
    const std::vector<DecisionId> open = open_;
    for (const DecisionId id : open) {
      const auto found = cases_.find(id);
      if (found == cases_.end()) continue;
      OpenMotion& one = *found->second;
      const auto member = one.election.electorate().find(who);
      if (!member) continue;
      one.election.give_up(*member, why_it_is_gone(ending), now());
      if (one.election.steps() != one.sent) co_await advance(one);
    }
  }
}

// Stops watching most former members.
void Council::watch_less() {
  Vacancy& vacancy = *vacancy_;
  if (!open_.empty() || vacancy.watched.size() <= members_.size() + former_watched) return;
  const std::shared_ptr<const Seats> where = seats();
  std::erase_if(vacancy.watched, [&](const Name& each) {
    if (where->electorate->find(each)) return false;
    vacancy.attendance.drop(each);
    vacancy.vacant.erase(each);
    return true;
  });
}

}  // namespace coracle::caf
