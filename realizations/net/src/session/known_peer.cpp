#include "realizations/net/src/session/known_peer.hpp"

#include "coracle/support/mutations.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace coracle::net {

namespace {

constexpr std::size_t most_past = 8;

}  // namespace

KnownPeer::Verdict KnownPeer::judge(const Greeting& greeting) const {
  if (std::find(past_.begin(), past_.end(), greeting.epoch) != past_.end()) return Verdict::stale;
  if (!greeting_) return Verdict::first;
  const Greeting& known = *greeting_;
  if (greeting.epoch == known.epoch) {
    if (greeting.number == known.number) return Verdict::resumes;
    return greeting.number > known.number ? Verdict::restarts : Verdict::stale;
  }
  const bool both_count = greeting.epoch.counter != 0 && known.epoch.counter != 0;
  if (both_count && greeting.epoch.counter < known.epoch.counter) return Verdict::stale;
  return mutated(Mutation::restart_not_noticed) ? Verdict::resumes : Verdict::restarts;
}

bool KnownPeer::accept(const Greeting& greeting) {
  const Verdict verdict = judge(greeting);
  assert(verdict != Verdict::stale);
  bool is_new = false;
  if (verdict == Verdict::restarts) {
    if (greeting_->epoch != greeting.epoch) {
      if (past_.size() == most_past) past_.erase(past_.begin());
      past_.push_back(greeting_->epoch);
    }
    // Nothing was sent to a peer that never got as far as RESUME.
    if (confirmed_) {
      confirmed_ = opened_ = false;
      is_new = restarted_ = true;
    }
  }
  greeting_ = greeting;
  return is_new;
}

Opening KnownPeer::open() {
  const bool restarted = std::exchange(restarted_, false);
  const bool again = std::exchange(opened_, true);
  return again ? Opening::resumed : restarted ? Opening::restarted : Opening::first;
}

void KnownPeer::refuse(std::uint64_t bytes, std::uint64_t largest) const {
  throw Error(Errc::too_large, "a message of " + std::to_string(bytes) + " bytes is over the " +
                                   std::to_string(largest) + " that " + greeting_->node +
                                   " accepts; split it or raise the limit there");
}

void KnownPeer::forget() {
  greeting_.reset();
  confirmed_ = opened_ = restarted_ = false;
}

}  // namespace coracle::net
