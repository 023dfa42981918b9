// A node whose lease ended while the node lived (it slept, or was cut off) opens another lease and
// registers the names of its agents again. To other nodes it is a new node. An agent that lost its
// name meanwhile is fenced.
#include "coracle/support/log.hpp"
#include "node_lease.hpp"
#include "runtime/elsewhere/inbound.hpp"
#include "runtime/elsewhere/outbound.hpp"
#include "runtime/node/node_core.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace coracle::detail {

namespace {

// The pause before an operation that needs the node's lease is tried again while there is none.
constexpr Duration claim_pause = std::chrono::milliseconds(50);

// Runs `act` on every worker, one after another.
Task<> on_each(NodeCore& node, std::function<void(Worker&)> act) {
  for (std::size_t index = 0; index < node.worker_count(); ++index) {
    const Signal done;
    node.worker(index).post(command([act, done](Worker& there) {
      act(there);
      done.set();
    }));
    co_await done.wait();
  }
}

// Returns whether the error leaves open if the name belongs to another agent: the directory went
// away meanwhile, or knows another lease. Registering once more decides.
bool is_undecided(Errc errc) {
  return errc == Errc::expired || errc == Errc::unreachable || errc == Errc::stopped;
}

// Returns all mailboxes with that home.
std::vector<Mailbox*> mailboxes_of(Worker& home) {
  std::vector<Mailbox*> mailboxes;
  home.node().each_mailbox([&](Mailbox& mailbox) {
    if (mailbox.home.load() == &home) mailboxes.push_back(&mailbox);
  });
  return mailboxes;
}

}  // namespace

Task<> NodeLease::registers_soon() {
  renew_soon();
  const Signal nothing;
  (void)co_await nothing.wait(Deadline(claim_pause));
}

Task<> NodeLease::register_again(Worker& worker) {
  is_registering_.store(true);
  Directory& directory = node_.directory();
  LeaseId opened = 0;
  bool is_sought = true;
  while (is_sought) {
    const auto lease = co_await directory.open_lease(node_.options().identity, term);
    if (lease) opened = *lease;
    const bool may_come = !lease && lease.error().errc() == Errc::unreachable;
    is_sought = may_come && !node_.stopping().has_begun();
  }
  if (opened == 0) co_return;  // the next renewal fails, too, and tries this again
  id_ = opened;
  Remote* const remote = node_.remote();
  if (remote != nullptr) {
    remote->pause(true);
    const std::vector<LeaseId> open = co_await directory.leases();
    remote->take_lease(open);
  }
  std::vector<Mailbox*> held;
  const std::function<void(Worker&)> begin_again = [&held](Worker& there) {
    for (Mailbox* const mailbox : mailboxes_of(there)) {
      begin_again_at(there, *mailbox);
      if (mailbox->agent != nullptr) held.push_back(mailbox);
    }
  };
  Task<> beginning = on_each(node_, begin_again);
  co_await beginning;
  if (remote != nullptr) {
    remote->pause(false);
    const std::function<void(Worker&)> go_on = [](Worker& there) {
      for (Mailbox* const mailbox : mailboxes_of(there)) {
        if (mailbox->extension && (mailbox->mode_now() & elsewhere) != 0) pump(there, *mailbox);
      }
    };
    Task<> going_on = on_each(node_, go_on);
    co_await going_on;
    Task<> greeting = remote->begin_again(worker);
    co_await greeting;
  }
  for (Mailbox* const mailbox : held) {
    Task<> claiming = claim_again(*mailbox);
    co_await claiming;
  }
  if (renews_again_) co_return;
  Task<> judging = judge_names();
  co_await judging;
}

// All registration requests are decided. From now on, an agent with an earlier incarnation of a
// name than the directory's loses that name.
Task<> NodeLease::judge_names() {
  is_registering_.store(false);
  const std::function<void(Worker&)> look = [](Worker& there) {
    for (Mailbox* const mailbox : mailboxes_of(there)) {
      if (mailbox->agent == nullptr) continue;
      const auto known = there.node().directory().try_look_up(mailbox->name);
      const bool is_lost = known && *known && mailbox->incarnation < (*known)->incarnation;
      if (is_lost) revoke_name(there, *mailbox);
    }
  };
  Task<> looking = on_each(node_, look);
  co_await looking;
}

Task<> NodeLease::claim_again(Mailbox& mailbox) {
  Claim claim(mailbox.name, id_);
  std::vector<Name> groups;
  bool is_held = false;
  const std::function<void(Worker&)> look = [&](Worker& there) {
    if (mailbox.home.load() != &there || mailbox.agent == nullptr) return;
    is_held = true;
    claim.earlier = mailbox.incarnation;
    claim.mailbox = node_.options().mailbox;
    if (!mailbox.extension) return;
    if ((mailbox.mode_now() & own_mailbox) != 0) claim.mailbox = mailbox.extension->mailbox;
    claim.properties = mailbox.extension->properties;
    groups = mailbox.extension->groups;
  };
  Task<> looking = on_each(node_, look);
  co_await looking;
  if (!is_held) co_return;
  const auto life = co_await node_.directory().claim(std::move(claim));
  if (!life && is_undecided(life.error().errc())) co_return;
  const std::function<void(Worker&)> settle = [&](Worker& there) {
    if (mailbox.home.load() != &there || mailbox.agent == nullptr) return;
    if (life) {
      mailbox.set_life(*life);
    } else {
      log_warning("'" + mailbox.name.str() + "' is lost: " + life.error().sentence());
      revoke_name(there, mailbox);
    }
  };
  Task<> settling = on_each(node_, settle);
  co_await settling;
  if (!life) co_return;
  for (const Name& group : groups) (void)co_await node_.directory().join(group, mailbox.name);
}

// A node that received messages from this node now takes this node for gone. A node that sent
// messages to this node has taken them back.
void begin_again_at(Worker& home, Mailbox& mailbox) {
  if (!mailbox.extension) return;
  RemoteSide* const side = mailbox.extension->remote.get();
  if (side != nullptr) side->turned_down = false;  // the store refused the earlier lease
  find_again(home, mailbox);
  const bool is_used = side != nullptr && side->now.lease != 0 && side->used;
  if (is_used || (side != nullptr && side->now.lease != side->next.lease))
    part_from_holder(home, mailbox);
  mailbox.extension->correspondents.clear();
  drop_foreign(home, mailbox);
}

}  // namespace coracle::detail
