// The desk's picture of the society.
#include "server/desk.hpp"

#include "coracle/directory.hpp"
#include "coracle/errors.hpp"
#include "coracle/node.hpp"

#include <exception>
#include <utility>

namespace coracle::a2a {

namespace {

// The most agents of the society that are looked at.
constexpr std::size_t most_agents = 100'000;
constexpr Duration look_at_tasks = std::chrono::seconds(30), look_again = std::chrono::seconds(1);

}  // namespace

coracle::Task<> Desk::follow(Agent& me, std::promise<void>& begun) {
  DirectoryChanges changes(me);
  try {
    coracle::Task<> beginning = changes.begin();
    co_await beginning;
    coracle::Task<> entering = enter_changes(me, changes, true);
    co_await entering;
  } catch (...) {
    begun.set_exception(std::current_exception());
    co_return;
  }
  begun.set_value();
  for (bool all = false;;) {
    try {
      if (!all) {
        coracle::Task<> waiting = changes.wait();
        co_await waiting;
      }
      coracle::Task<> entering = enter_changes(me, changes, all);
      co_await entering;
      all = false;
      continue;
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    }
    all = true;  // the directory did not answer: everything is looked at again
    co_await me.pause(look_again);
  }
}

coracle::Task<> Desk::enter_changes(Agent& me, DirectoryChanges& changes, bool all) {
  DirectoryChanges::Changed changed = changes.take();
  if (all || changed.all) {
    Query query;
    query.limit = most_agents;
    coracle::Task<std::vector<Entry>> searching = me.search(query);
    changed.names = roster_.names();
    for (Entry& each : co_await searching) changed.names.push_back(std::move(each.name));
  }
  for (const Name& each : changed.names) {
    coracle::Task<> entering = enter(me, each);
    co_await entering;
  }
}

// Enters one agent as the directory has it now.
coracle::Task<> Desk::enter(Agent& me, Name agent) {
  if (!roster_.may_show(agent)) co_return;
  Directory& directory = me.node().directory();
  std::optional<std::optional<Entry>> known = directory.try_look_up(agent);
  if (!known) {
    coracle::Task<std::optional<Entry>> looking = directory.look_up(agent);
    known = co_await looking;
  }
  if (*known) roster_.enter(agent, std::move((*known)->properties));
  else roster_.remove(agent);
}

// Returns whether there is such an agent that clients may know. A new one may be missing in the
// roster for a moment.
coracle::Task<bool> Desk::is_known(Agent& me, Name agent) {
  if (!roster_.may_show(agent)) co_return false;
  if (roster_.find(agent) == nullptr) {
    coracle::Task<> entering = enter(me, agent);
    co_await entering;
  }
  co_return roster_.find(agent) != nullptr;
}

coracle::Task<> Desk::receive(Agent& me) {
  for (;;) {
    std::optional<coracle::Message> message = co_await me.receive(Match(), look_at_tasks);
    store_.forget(now(me));
    if (!message) continue;
    if (!message->is_request()) take(me, *message);
    else if (!take_question(me, *message)) me.spawn(refuse_to(me, *std::move(message)));
  }
}

std::optional<Name> Desk::front() const {
  if (!options_.front.empty()) return Name(options_.front);
  if (roster_.size() != 1) return std::nullopt;
  return roster_.names().front();
}

ServerCounts Desk::counts() const {
  return {roster_.size(), store_.size(), store_.bytes(), watchers_.subscribers()};
}

}  // namespace coracle::a2a
