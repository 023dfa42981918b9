// The holders of names on other nodes, as the directory reports them.
#include "remote.hpp"

#include "homes.hpp"
#include "runtime/elsewhere/outbound.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/store/store_state.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace coracle::detail {

void Remote::locate(Mailbox& mailbox) {
  const auto known = node_.directory().try_look_up(mailbox.name);
  if (known) {
    if (*known && (*known)->lease != node_.lease().id())
      store_server_.on_holder(mailbox, holder_of(**known));
    return;
  }
  Worker& worker = *mailbox.home.load();
  worker.post(command([this, &mailbox](Worker& at) {
    run_detached(at, [](Remote& self, Mailbox& who) -> Task<> {
      const Name name = who.name;
      const auto entry = co_await self.node_.directory().look_up(name);
      if (entry && entry->lease != self.node_.lease().id())
        self.store_server_.on_holder(who, holder_of(*entry));
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

// Gives a waiting reply to an open request of this worker, or drops it as late, unless the
// requester is known to be elsewhere by now.
void end_late_reply(Worker& home, Mailbox& target, const ReplyOf& which) {
  if ((target.mode_now() & elsewhere) != 0) return;
  const Match is_it = that([which](const MessageView& message) {
    const MessageRecord& record = *Access::record(message);
    return (record.flags & reply_flag) != 0 && record.conversation == which.conversation &&
           record.fields != nullptr && record.fields->asking_life == which.asking_life;
  });
  MessageRecord* const reply = target.take(is_it);
  if (reply == nullptr) return;
  home.mailboxes.left(target, *reply);
  answer(home, reply);
}

}  // namespace

// Other replies may have come meanwhile, for whose requesters there may be later news.
void judge_reply(Worker& home, Mailbox& target, ReplyOf which) {
  run_detached(home, [](Directory& directory, Mailbox& who, ReplyOf reply) -> Task<> {
    co_await directory.catch_up();
    at_home(who,
            [reply](Worker& there, Mailbox& mailbox) { end_late_reply(there, mailbox, reply); });
  }(home.node().directory(), target, which));
}

void Remote::on_change(const DirectoryEvent& event) noexcept {
  using Kind = DirectoryEvent::Kind;
  if (event.kind == Kind::lease_ended) {
    if (event.lease == node_.lease().id()) return node_.lease().lose();
    peers_.note_ended(event.lease);
    on_gone(event.lease);
    at_reader(event.lease,
              [this, lease = event.lease](Worker&) { node_.lease_mailboxes().forget(lease); });
    // A node that stops has first sent all that it had to send.
    if (event.ending.reason != EndReason::stopped) own_taps_.miss_copies();
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
  } else if (event.lease != node_.lease().id()) {
    store_server_.on_holder(*mailbox, Holder{event.lease, event.incarnation, event.mailbox});
  }
}

// Missing copies are known when the directory reports how the peer's lease has ended, or when the
// peer is back.
void Remote::on_gone(LeaseId lease) {
  const bool is_new = peers_.note_gone(lease);
  node_.late_joiners().forget(lease);
  if (!is_new) return;
  requests_.forget(lease);
  node_.holds().end_all_of(lease);
  taps_of_peers_.forget(lease);
  slots_.forget(lease);
  store_.forget(lease);
  store_server_.forget(lease);
  // The frames that have been read so far come first: they may say what became of messages.
  at_reader(lease, [this, lease](Worker& at) {
    at.publish();
    all_at_home(node_, lease,
                [lease](Worker& home, Mailbox& there) { on_peer_gone(home, there, lease); });
  });
}

void Remote::at_reader(LeaseId lease, std::function<void(Worker&)> act) {
  Worker& reader = peers_.reader_of(lease);
  if (Worker::current() == &reader) return act(reader);
  reader.post(command(std::move(act)));
}

void Remote::on_back(LeaseId lease) {
  at_reader(lease, [this, lease](Worker& at) { come_back(at, lease); });
}

// To each other, both are like new nodes, but this node knows which names the peer holds.
void Remote::come_back(Worker& at, LeaseId lease) {
  Peer& other = peers_.of(lease);
  if (other.is_over) return;
  const bool is_back = peers_.meet_again(other);
  if (is_back) own_taps_.miss_copies();
  own_taps_.send_all(lease);
  send_store_state(peers_, lease, store_state_of(node_));
  at.publish();
  all_at_home(node_, lease,
              [lease](Worker& home, Mailbox& there) { find_again(home, there, lease); });
}

}  // namespace coracle::detail
