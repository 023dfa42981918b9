// Who holds what on other nodes, as the directory tells.
#include "runtime/remote.hpp"

#include "runtime/node_core.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace coracle::detail {

void Remote::locate(Party& party) {
  const auto known = node_.directory().try_look_up(party.name);
  if (known) {
    if (*known && (*known)->lease != node_.lease()) hear(party, holder_of(**known));
    return;
  }
  Worker& worker = *party.home.load();
  worker.post(command([this, &party](Worker& at) {
    at.run_detached([](Remote& self, Party& who) -> Task<> {
      const Name name = who.name;
      const auto entry = co_await self.node_.directory().look_up(name);
      if (entry && entry->lease != self.node_.lease()) self.hear(who, holder_of(*entry));
    }(*this, party));
  }));
}

namespace {

// A lease may have to do with a million parties. A worker gets a command for so many of them, and
// does other things in between.
constexpr std::size_t parties_at_once = 512;

// Does that with each party that names the lease.
template <class Act>
void all_at_home(NodeCore& node, LeaseId lease, const Act& act) {
  std::vector<std::vector<Party*>> parties(node.worker_count());
  for (Party* const party : node.lease_parties().of(lease)) {
    parties[party->home.load(std::memory_order_acquire)->index()].push_back(party);
  }
  for (std::size_t index = 0; index < parties.size(); ++index) {
    Worker& home = node.worker(index);
    for (std::span<Party* const> rest = parties[index]; !rest.empty();) {
      const auto some = rest.first(std::min(parties_at_once, rest.size()));
      rest = rest.subspan(some.size());
      auto each = [act, some = std::vector<Party*>(some.begin(), some.end())](Worker&) {
        for (Party* const party : some) at_home(*party, act);
      };
      if (&home == Worker::current()) each(home);
      else home.post(command(std::move(each)));
    }
  }
}

// Unless those that asked are known to be elsewhere by now.
void end_late_replies(Worker& home, Party& target) {
  if ((target.mode_now() & elsewhere) != 0) return;
  const Match replies =
      that([](const MessageView& message) { return (message.parcel()->flags & reply_flag) != 0; });
  while (Parcel* const reply = target.take(replies)) {
    home.left_mailbox(target, *reply);
    home.answer(reply);
  }
}

}  // namespace

void Remote::judge_replies(Worker& home, Party& target) {
  home.run_detached([](Remote& self, Party& who) -> Task<> {
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
    node_.lease_parties().forget(event.lease);
    // A node that stops has sent before all that it had to send.
    if (event.ending.reason != EndReason::stopped) miss_copies();
    return;
  }
  if (event.kind != Kind::arrived && event.kind != Kind::ended) return;
  Party* const party = node_.parties().find(event.name.view());
  if (party == nullptr) return;
  if (event.kind == Kind::ended) {
    at_home(*party, [ending = event.ending](Worker& home, Party& there) {
      home.on_holder_ended(there, ending);
    });
  } else if (event.lease == 0) {
    locate(*party);  // a directory below knows
  } else if (event.lease != node_.lease()) {
    hear(*party, Holder{event.lease, event.incarnation, event.mailbox});
  }
}

// What it was told.
void Remote::Peer::forget_told() noexcept {
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
  other->forget_told();
  other->blocked.clear();
}

// What is still on its way from it may use the names that it has told; then they are not needed.
void Remote::Forgetting::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Forgetting&>(timer);
  if (!self.remote.is_gone(self.peer.lease)) return;
  forget_heard(self.peer);
  self.remote.erase_ended(self.peer);
}

// Its record goes when all workers have finished what they were doing with it.
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
  node_.lease_parties().forget(gone.lease);  // what came late has noted some
  node_.worker(0).post(
      command([this, last = std::move(last)](Worker&) { pass_through_all(node_, 0, [last] {}); }));
}

void Remote::forget_heard_soon(Worker& reader, Peer& gone) {
  if (!gone.forgetting) gone.forgetting = std::make_unique<Forgetting>(*this, gone);
  gone.forgetting->arm(reader, reader.now() + late_frames_patience);
}

void Remote::forget_heard(Peer& gone) noexcept {
  const bool was_large = gone.heard.size() >= heard_worth_giving_back;
  gone.is_forgotten = true;
  boost::container::stable_vector<Heard>().swap(gone.heard);  // clear() keeps the memory
  gone.unproven.clear();
  gone.unproven_count = 0;
  if (was_large) give_memory_back();
}

void Remote::forget_soon(LeaseId lease) {
  reader_of(lease).post(command([this, lease](Worker& at) {
    if (Peer* const gone = known_peer(lease)) forget_heard_soon(at, *gone);
  }));
}

// Whether copies are missing is known when the directory says how its lease has ended, or when it
// is back.
void Remote::on_gone(LeaseId lease) {
  forget(lease);
  node_.late_joiners().forget(lease);
  {
    const std::lock_guard lock(mutex_);
    const bool is_new = gone_.insert(lease);
    forget_soon(lease);  // who makes a record from now on sees that it is gone
    if (!is_new) return;
    for (auto& [token, asked] : asked_) {
      if (asked.unanswered.erase(lease) != 0 && asked.unanswered.empty()) asked.done.set();
    }
    const auto listening = ears_of_.extract(lease);
    if (!listening.empty()) forget_ears(listening.mapped());
    mute_.erase(lease);
    knocks_of_.erase(lease);
    keeper_gone(lease);
  }
  if (node_.custody() != nullptr) {
    node_.worker(0).post(command([this, lease](Worker&) {
      const auto first = turned_down_.lower_bound({lease, nullptr});
      turned_down_.erase(first, turned_down_.lower_bound({lease + 1, nullptr}));
      told_why_.erase(lease);
    }));
  }
  all_at_home(node_, lease, [lease](Worker& home, Party& there) {
    home.on_peer_gone(there, lease);
  });
}

void Remote::on_back(LeaseId lease) {
  Worker& reader = reader_of(lease);
  if (Worker::current() == &reader) return come_back(reader, lease);
  reader.post(command([this, lease](Worker& at) { come_back(at, lease); }));
}

// To each other, both are as nodes that have come now; but it is known which names it holds.
void Remote::come_back(Worker& at, LeaseId lease) {
  Peer& other = peer(lease);
  if (other.is_over) return;
  other.is_forgotten = false;
  other.heard.clear();
  other.unproven.clear();
  other.unproven_count = 0;
  {
    const std::lock_guard lock(other.mutex);
    other.forget_told();
    links_.meet(other.self, lease);
  }
  std::vector<OwnEar> ears;
  bool is_back = false;
  {
    const std::lock_guard lock(mutex_);
    is_back = gone_.contains(lease) && !ended_.contains(lease);
    gone_.erase(lease);
    ears = own_ears_;
  }
  if (is_back) miss_copies();
  for (const OwnEar& ear : ears) send_ear(lease, ear, 0);
  send_keeper(lease, kept_here());
  at.publish();
  all_at_home(node_, lease, [lease](Worker& home, Party& there) {
    find_again(home, there, lease);
  });
}

}  // namespace coracle::detail
