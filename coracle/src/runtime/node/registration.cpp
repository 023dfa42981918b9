// A node whose lease ended while the node lived (it slept, or was cut off) opens another lease and
// registers the names of its agents again. To other nodes it is a new node. An agent that lost its
// name meanwhile is fenced.
#include "coracle/support/log.hpp"
#include "node_core.hpp"
#include "runtime/elsewhere/inbound.hpp"
#include "runtime/elsewhere/outbound.hpp"

namespace coracle::detail {

namespace {

// The pause before an operation that needs the node's lease is tried again while there is none.
constexpr Duration claim_pause = std::chrono::milliseconds(50);

// Runs `act` on every worker, one after another.
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

// Returns whether the error leaves open if the name belongs to another agent: the directory went
// away meanwhile, or knows another lease. Registering once more decides.
bool is_undecided(Errc errc) {
  return errc == Errc::expired || errc == Errc::unreachable || errc == Errc::stopped;
}

}  // namespace

std::vector<Mailbox*> NodeCore::mailboxes_of(Worker& home) {
  std::vector<Mailbox*> mailboxes;
  each_mailbox([&](Mailbox& mailbox) {
    if (mailbox.home.load() == &home) mailboxes.push_back(&mailbox);
  });
  return mailboxes;
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
  std::vector<Mailbox*> held;
  const std::function<void(Worker&)> begin_again = [this, &held](Worker& there) {
    for (Mailbox* const mailbox : mailboxes_of(there)) {
      begin_again_at(there, *mailbox);
      if (mailbox->agent != nullptr) held.push_back(mailbox);
    }
  };
  Task<> beginning = on_each(*this, worker, begin_again);
  co_await beginning;
  if (remote_) {
    remote_->pause(false);
    const std::function<void(Worker&)> go_on = [this](Worker& there) {
      for (Mailbox* const mailbox : mailboxes_of(there)) {
        if (mailbox->extension && (mailbox->mode_now() & elsewhere) != 0) pump(there, *mailbox);
      }
    };
    Task<> going_on = on_each(*this, worker, go_on);
    co_await going_on;
    Task<> greeting = remote_->begin_again(worker);
    co_await greeting;
  }
  for (Mailbox* const mailbox : held) {
    Task<> claiming = claim_again(worker, *mailbox);
    co_await claiming;
  }
  if (renew_again_) co_return;
  Task<> judging = judge_names(worker);
  co_await judging;
}

// All registration requests are decided. From now on, an agent with an earlier incarnation of a
// name than the directory's loses that name.
Task<> NodeCore::judge_names(Worker& worker) {
  registering_.store(false);
  const std::function<void(Worker&)> look = [this](Worker& there) {
    for (Mailbox* const mailbox : mailboxes_of(there)) {
      if (mailbox->agent == nullptr) continue;
      const auto known = directory().try_look_up(mailbox->name);
      const bool is_lost = known && *known && mailbox->incarnation < (*known)->incarnation;
      if (is_lost) revoke_name(there, *mailbox);
    }
  };
  Task<> looking = on_each(*this, worker, look);
  co_await looking;
}

Task<> NodeCore::claim_again(Worker& worker, Mailbox& mailbox) {
  Claim claim(mailbox.name, lease_);
  std::vector<Name> groups;
  bool is_held = false;
  const std::function<void(Worker&)> look = [&](Worker& there) {
    if (mailbox.home.load() != &there || mailbox.agent == nullptr) return;
    is_held = true;
    claim.earlier = mailbox.incarnation;
    claim.mailbox = options_.mailbox;
    if (!mailbox.extension) return;
    if ((mailbox.mode_now() & own_mailbox) != 0) claim.mailbox = mailbox.extension->mailbox;
    claim.properties = mailbox.extension->properties;
    groups = mailbox.extension->groups;
  };
  Task<> looking = on_each(*this, worker, look);
  co_await looking;
  if (!is_held) co_return;
  const auto life = co_await directory().claim(std::move(claim));
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
  Task<> settling = on_each(*this, worker, settle);
  co_await settling;
  if (!life) co_return;
  for (const Name& group : groups) (void)co_await directory().join(group, mailbox.name);
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
