// The holders of names on other nodes, as the directory reports them.
#include "remote.hpp"

#include "homes.hpp"
#include "outbound.hpp"
#include "runtime/node/node_core.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace coracle::detail {

void Remote::locate(Mailbox& mailbox) {
  const auto known = node_.directory().try_look_up(mailbox.name);
  if (known) {
    if (*known && (*known)->lease != node_.lease()) hear(mailbox, holder_of(**known));
    return;
  }
  Worker& worker = *mailbox.home.load();
  worker.post(command([this, &mailbox](Worker& at) {
    run_detached(at, [](Remote& self, Mailbox& who) -> Task<> {
      const Name name = who.name;
      const auto entry = co_await self.node_.directory().look_up(name);
      if (entry && entry->lease != self.node_.lease()) self.hear(who, holder_of(*entry));
    }(*this, mailbox));
  }));
}

namespace {

// A lease may concern a million mailboxes. A worker gets a command for this many of them, and does
// other work in between.
constexpr std::size_t mailboxes_at_once = 512;

// Runs `act` for each mailbox that has noted the lease.
template <class Act>
void all_at_home(NodeCore& node, LeaseId lease, const Act& act) {
  std::vector<std::vector<Mailbox*>> mailboxes(node.worker_count());
  for (Mailbox* const mailbox : node.lease_mailboxes().of(lease)) {
    mailboxes[mailbox->home.load(std::memory_order_acquire)->index()].push_back(mailbox);
  }
  for (std::size_t index = 0; index < mailboxes.size(); ++index) {
    Worker& home = node.worker(index);
    for (std::span<Mailbox* const> rest = mailboxes[index]; !rest.empty();) {
      const auto some = rest.first(std::min(mailboxes_at_once, rest.size()));
      rest = rest.subspan(some.size());
      auto each = [act, some = std::vector<Mailbox*>(some.begin(), some.end())](Worker&) {
        for (Mailbox* const mailbox : some) at_home(*mailbox, act);
      };
      if (&home == Worker::current()) each(home);
      else home.post(command(std::move(each)));
    }
  }
}

// Gives the waiting replies to open requests of this worker, or drops them as late, unless the
// requesters are known to be elsewhere by now.
void end_late_replies(Worker& home, Mailbox& target) {
  if ((target.mode_now() & elsewhere) != 0) return;
  const Match replies = that([](const MessageView& message) {
    return (Access::record(message)->flags & reply_flag) != 0;
  });
  while (MessageRecord* const reply = target.take(replies)) {
    home.mailboxes.left(target, *reply);
    answer(home, reply);
  }
}

}  // namespace

void Remote::judge_replies(Worker& home, Mailbox& target) {
  run_detached(home, [](Remote& self, Mailbox& who) -> Task<> {
    co_await self.node_.directory().catch_up();
    at_home(who, &end_late_replies);
  }(*this, target));
}

void Remote::on_change(const DirectoryEvent& event) noexcept {
  using Kind = DirectoryEvent::Kind;
  if (event.kind == Kind::lease_ended) {
    if (event.lease == node_.lease()) return node_.lose_lease();
    {
      const std::lock_guard lock(mutex_);
      ended_.insert(event.lease);
    }
    on_gone(event.lease);
    node_.lease_mailboxes().forget(event.lease);
    // A node that stops has first sent all that it had to send.
    if (event.ending.reason != EndReason::stopped) miss_copies();
    return;
  }
  if (event.kind != Kind::arrived && event.kind != Kind::ended) return;
  Mailbox* const mailbox = node_.mailboxes().find(event.name.view());
  if (mailbox == nullptr) return;
  if (event.kind == Kind::ended) {
    at_home(*mailbox, [ending = event.ending](Worker& home, Mailbox& there) {
      on_holder_ended(home, there, ending);
    });
  } else if (event.lease == 0) {
    locate(*mailbox);  // a directory below knows the holder
  } else if (event.lease != node_.lease()) {
    hear(*mailbox, Holder{event.lease, event.incarnation, event.mailbox});
  }
}

void Remote::Peer::forget_sent_names() noexcept {
  told.clear();
  is_full = false;
  lately = {};
  apart.clear();
}

void Remote::forget(LeaseId lease) {
  if (!node_.is_here()) {
    return node_.worker(0).post(command([this, lease](Worker&) { forget(lease); }));
  }
  Peer* const other = known_peer(lease);
  if (other == nullptr) return;
  const std::lock_guard lock(other->mutex);
  other->forget_sent_names();
  other->blocked.clear();
}

// Frames still on their way may use the names that the peer has sent; after this time, the names
// are not needed.
void Remote::Forgetting::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Forgetting&>(timer);
  if (!self.remote.is_gone(self.peer.lease)) return;
  forget_received_names(self.peer);
  self.remote.erase_ended(self.peer);
}

// The peer's record is freed when all workers have finished what they were doing with it.
void Remote::erase_ended(Peer& gone) {
  std::shared_ptr<Peer> last;
  {
    const std::lock_guard lock(mutex_);
    const auto known = peers_.find(gone.lease);
    if (known == peers_.end() || known->second.get() != &gone || !ended_.contains(gone.lease))
      return;
    if (latest_.load() == &gone) latest_.store(nullptr, std::memory_order_release);
    last = std::move(known->second);
    peers_.erase(known);
  }
  node_.lease_mailboxes().forget(gone.lease);  // late frames have noted some
  node_.worker(0).post(
      command([this, last = std::move(last)](Worker&) { pass_through_all(node_, 0, [last] {}); }));
}

void Remote::forget_received_names_soon(Worker& reader, Peer& gone) {
  if (!gone.forgetting) gone.forgetting = std::make_unique<Forgetting>(*this, gone);
  gone.forgetting->arm(reader, reader.now() + late_frames_patience);
}

void Remote::forget_received_names(Peer& gone) noexcept {
  const bool was_large = gone.heard.size() >= received_names_worth_freeing;
  gone.is_forgotten = true;
  boost::container::stable_vector<ReceivedName>().swap(gone.heard);  // clear() keeps the memory
  gone.unproven.clear();
  gone.unproven_count = 0;
  if (was_large) give_memory_back();
}

void Remote::forget_soon(LeaseId lease) {
  reader_of(lease).post(command([this, lease](Worker& at) {
    if (Peer* const gone = known_peer(lease)) forget_received_names_soon(at, *gone);
  }));
}

// Missing copies are known when the directory reports how the peer's lease has ended, or when the
// peer is back.
void Remote::on_gone(LeaseId lease) {
  forget(lease);
  node_.late_joiners().forget(lease);
  {
    const std::lock_guard lock(mutex_);
    const bool is_new = gone_.insert(lease);
    forget_soon(lease);  // code that makes a record from now on sees that it is gone
    if (!is_new) return;
    for (auto& [token, asked] : asked_) {
      if (asked.unanswered.erase(lease) != 0 && asked.unanswered.empty()) asked.done.set();
    }
    const auto listening = taps_of_.extract(lease);
    if (!listening.empty()) forget_taps(listening.mapped());
    mute_.erase(lease);
    slot_requests_of_.erase(lease);
    store_gone(lease);
  }
  if (node_.backend() != nullptr) {
    node_.worker(0).post(command([this, lease](Worker&) {
      const auto first = turned_down_.lower_bound({lease, nullptr});
      turned_down_.erase(first, turned_down_.lower_bound({lease + 1, nullptr}));
      told_why_.erase(lease);
    }));
  }
  all_at_home(node_, lease,
              [lease](Worker& home, Mailbox& there) { on_peer_gone(home, there, lease); });
}

void Remote::on_back(LeaseId lease) {
  Worker& reader = reader_of(lease);
  if (Worker::current() == &reader) return come_back(reader, lease);
  reader.post(command([this, lease](Worker& at) { come_back(at, lease); }));
}

// To each other, both are like new nodes, but this node knows which names the peer holds.
void Remote::come_back(Worker& at, LeaseId lease) {
  Peer& other = peer(lease);
  if (other.is_over) return;
  other.is_forgotten = false;
  other.heard.clear();
  other.unproven.clear();
  other.unproven_count = 0;
  {
    const std::lock_guard lock(other.mutex);
    other.forget_sent_names();
    transport_.meet(other.self, lease);
  }
  std::vector<OwnTap> taps;
  bool is_back = false;
  {
    const std::lock_guard lock(mutex_);
    is_back = gone_.contains(lease) && !ended_.contains(lease);
    gone_.erase(lease);
    taps = own_taps_;
  }
  if (is_back) miss_copies();
  for (const OwnTap& tap : taps) send_tap(lease, tap, 0);
  send_store(lease, kept_here());
  at.publish();
  all_at_home(node_, lease,
              [lease](Worker& home, Mailbox& there) { find_again(home, there, lease); });
}

}  // namespace coracle::detail
