#include "coracle/endings.hpp"

#include "coracle/support/secret_hash.hpp"
#include "name_watch.hpp"
#include "node_core.hpp"

#include <unordered_map>

namespace coracle {

namespace detail {

struct EndingsState {
  explicit EndingsState(Worker& worker) : home(worker) {}

  Worker& home;
  std::shared_ptr<NameWatch::State> all = std::make_shared<NameWatch::State>();
  // Shared, because a watch may be dropped while it begins.
  std::unordered_map<Name, std::shared_ptr<NameWatch>, SecretHash> watches;
};

}  // namespace detail

// Notices of endings come to the worker on which the object is made, so its agent stays there.
Endings::Endings(Agent& agent)
    : state_(std::make_shared<detail::EndingsState>(detail::here(agent))) {
  detail::Access::mailbox(agent)->set_mode(detail::pinned);
}

Endings::~Endings() { state_->watches.clear(); }

Task<bool> Endings::add(Name who) {
  const auto state = state_;
  const auto known = state->watches.find(who);
  if (known != state->watches.end()) {
    if (known->second->here()) co_return true;
    Directory& directory = state->home.node().directory();
    const std::optional<Entry> entry = co_await directory.look_up(who);
    co_return entry.has_value();
  }
  const auto own = std::make_shared<detail::NameWatch::State>();
  own->into = state->all;
  const auto watch = std::make_shared<detail::NameWatch>(state->home, who, own);
  state->watches.emplace(who, watch);
  std::optional<Error> failure;
  try {
    co_await watch->begin();
  } catch (const Error& error) {
    failure = error;
  }
  if (failure) {
    const auto added = state->watches.find(who);
    if (added != state->watches.end() && added->second == watch) state->watches.erase(added);
    throw *failure;
  }
  co_return watch->here();
}

void Endings::drop(const Name& who) noexcept { state_->watches.erase(who); }

bool Endings::here(const Name& who) const noexcept {
  const auto found = state_->watches.find(who);
  return found != state_->watches.end() && found->second->here();
}

Task<Ending> Endings::next() { return detail::NameWatch::next_ending(state_->all); }

Incarnation life_of(const Agent& agent) noexcept { return detail::Access::mailbox(agent)->life(); }

}  // namespace coracle
