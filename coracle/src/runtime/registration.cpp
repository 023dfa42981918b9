// A node whose lease ended while it lived - it slept, or was cut off - takes another one and claims
// the names of its agents again. To others it is a new node; who lost a name meanwhile is fenced.
#include "runtime/log.hpp"
#include "runtime/node_core.hpp"

namespace coracle::detail {

namespace {

// How soon what needs the node's lease is tried again while it has none.
constexpr Duration claim_pause = std::chrono::milliseconds(50);

// Done on every worker, one after another.
Task<> on_each(NodeCore& node, Worker& at, std::function<void(Worker&)> act) {
  for (std::size_t index = 0; index < node.worker_count(); ++index) {
    const Signal done(at);
    node.worker(index).post(command([act, done](Worker& there) {
      act(there);
      done.set();
    }));
    co_await done.wait();
  }
}

// Nobody has said that the name is another's: the directory went away meanwhile, or knows another
// lease. Registering once more will tell.
bool is_undecided(Errc errc) {
  return errc == Errc::expired || errc == Errc::unreachable || errc == Errc::stopped;
}

}  // namespace

std::vector<Party*> NodeCore::parties_of(Worker& home) {
  std::vector<Party*> parties;
  each_party([&](Party& party) {
    if (party.home.load() == &home) parties.push_back(&party);
  });
  return parties;
}

Task<> NodeCore::registers_soon(Worker& at) {
  renew_soon();
  const Signal nothing(at);
  (void)co_await nothing.wait(Deadline(claim_pause));
}

Task<> NodeCore::register_again(Worker& worker) {
  registering_.store(true);
  LeaseId opened = 0;
  bool is_sought = true;
  while (is_sought) {
    const auto lease = co_await directory().open_lease(options_.identity, lease_term);
    if (lease) opened = *lease;
    is_sought = !lease && lease.error().errc() == Errc::unreachable && !stopping();
  }
  if (opened == 0) co_return;  // the next renewal fails, too, and tries this again
  lease_ = opened;
  if (remote_) {
    remote_->pause(true);
    const std::vector<LeaseId> open = co_await directory().leases();
    remote_->take_lease(open);
  }
  std::vector<Party*> held;
  const std::function<void(Worker&)> begin_again = [this, &held](Worker& there) {
    for (Party* const party : parties_of(there)) {
      there.begin_again(*party);
      if (party->agent != nullptr) held.push_back(party);
    }
  };
  Task<> beginning = on_each(*this, worker, begin_again);
  co_await beginning;
  if (remote_) {
    remote_->pause(false);
    const std::function<void(Worker&)> go_on = [this](Worker& there) {
      for (Party* const party : parties_of(there)) {
        if (party->extension && (party->mode_now() & elsewhere) != 0) there.pump(*party);
      }
    };
    Task<> going_on = on_each(*this, worker, go_on);
    co_await going_on;
    Task<> greeting = remote_->begin_again(worker);
    co_await greeting;
  }
  for (Party* const party : held) {
    Task<> claiming = claim_again(worker, *party);
    co_await claiming;
  }
  if (renew_again_) co_return;
  Task<> judging = judge_names(worker);
  co_await judging;
}

// All claims are decided: from now on, who has an earlier life of a name loses it.
Task<> NodeCore::judge_names(Worker& worker) {
  registering_.store(false);
  const std::function<void(Worker&)> look = [this](Worker& there) {
    for (Party* const party : parties_of(there)) {
      if (party->agent == nullptr) continue;
      const auto known = directory().try_look_up(party->name);
      const bool is_lost = known && *known && party->incarnation < (*known)->incarnation;
      if (is_lost) there.lose_name(*party);
    }
  };
  Task<> looking = on_each(*this, worker, look);
  co_await looking;
}

Task<> NodeCore::claim_again(Worker& worker, Party& party) {
  Claim claim(party.name, lease_);
  std::vector<Name> groups;
  bool is_held = false;
  const std::function<void(Worker&)> look = [&](Worker& there) {
    if (party.home.load() != &there || party.agent == nullptr) return;
    is_held = true;
    claim.earlier = party.incarnation;
    claim.mailbox = options_.mailbox;
    if (!party.extension) return;
    if ((party.mode_now() & own_mailbox) != 0) claim.mailbox = party.extension->mailbox;
    claim.properties = party.extension->properties;
    groups = party.extension->groups;
  };
  Task<> looking = on_each(*this, worker, look);
  co_await looking;
  if (!is_held) co_return;
  const auto life = co_await directory().claim(std::move(claim));
  if (!life && is_undecided(life.error().errc())) co_return;
  const std::function<void(Worker&)> settle = [&](Worker& there) {
    if (party.home.load() != &there || party.agent == nullptr) return;
    if (life) {
      party.set_life(*life);
    } else {
      log_warning("'" + party.name.str() + "' is lost: " + life.error().sentence());
      there.lose_name(party);
    }
  };
  Task<> settling = on_each(*this, worker, settle);
  co_await settling;
  if (!life) co_return;
  for (const Name& group : groups) (void)co_await directory().join(group, party.name);
}

// Whoever had something from this node takes it for gone, and whoever sent to it has taken that
// back.
void Worker::begin_again(Party& party) {
  if (!party.extension) return;
  RemoteSide* const side = party.extension->remote.get();
  if (side != nullptr) side->turned_down = false;  // an earlier node was
  find_again(*this, party);
  const bool is_used = side != nullptr && side->now.lease != 0 && side->used;
  if (is_used || (side != nullptr && side->now.lease != side->next.lease)) part(party);
  party.extension->correspondents.clear();
  drop_foreign(party);
}

}  // namespace coracle::detail
