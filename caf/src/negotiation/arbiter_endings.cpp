// The reaction of an arbiter to the end of a client.
#include "arbiter_impl.hpp"

#include <algorithm>

namespace coracle::caf {

// Returns whether a client has ended and its name has had no holder since.
bool Arbiter::Impl::is_gone(const Name& who) const {
  return gone_.count(who) != 0 && !attendance_.here(who);
}

void Arbiter::Impl::on_ending(const Ending& ending) {
  const Name& who = ending.name;
  if (requests_.count(who) == 0) return;
  gone_.insert(who);
  if (doing_ == Doing::negotiating) {
    const auto found = std::find(names_.begin(), names_.end(), who);
    if (found == names_.end()) return;
    const auto client = static_cast<std::uint32_t>(found - names_.begin());
    now_->give_up(client, why_it_is_gone(ending), self_.now());
    self_.spawn(advance());
  } else if (doing_ == Doing::waiting && goes_missing_.count(who) != 0) {
    self_.spawn(
        stop("'" + who.str() + "' has ended before it confirmed that the plan should begin"));
  }
}

// Gives up the clients that have ended, so that they receive no requests.
void Arbiter::Impl::give_up_gone() {
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    if (is_gone(names_[i])) now_->give_up(i, nobody_holds_it, self_.now());
  }
}

}  // namespace coracle::caf
