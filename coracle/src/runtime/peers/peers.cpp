#include "peers.hpp"

#include "memory/returning.hpp"
#include "runtime/elsewhere/outbound.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

constexpr unsigned excesses_limit = 1000;

}  // namespace

Peer::Peer(NodeCore& node, LeaseId own, LeaseId other) noexcept
    : transport(node.transport()),
      self(own),
      lease(other),
      mutex(node.worker_count() > 1),
      received(node.mailboxes()) {}

void Peer::forget_sent_names() noexcept {
  sent.forget();
  is_full = false;
  apart.clear();
}

void Peer::forget_received_names() noexcept {
  is_forgotten = true;
  unproven.forget();
  received.release();
}

Peers::Peers(NodeCore& node) noexcept : node_(node) {}

Worker& Peers::reader_of(LeaseId lease) {
  return node_.worker(static_cast<std::size_t>(lease % node_.worker_count()));
}

Peer& Peers::look_up(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  auto& found = peers_[lease];
  if (!found) {
    found = std::make_unique<Peer>(node_, self_, lease);
    if (gone_.contains(lease)) forget_received_names_soon(lease);
  }
  latest_.store(found.get(), std::memory_order_release);
  return *found;
}

Peer* Peers::find(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  const auto known = peers_.find(lease);
  return known == peers_.end() ? nullptr : known->second.get();
}

LeaseId Peers::self() {
  const std::lock_guard lock(mutex_);
  return self_;
}

void Peers::take_lease(const std::vector<LeaseId>& open) {
  const std::lock_guard lock(mutex_);
  self_ = node_.lease().id();
  for (const LeaseId lease : open) {
    gone_.erase(lease);
    ended_.erase(lease);
  }
  for (auto& [lease, peer] : peers_) retired_.push_back(std::move(peer));
  peers_.clear();
  latest_.store(nullptr, std::memory_order_release);
}

// ── sending ─────────────────────────────────────────────────────────────────────────────────────

void Peers::send(LeaseId to, std::span<const std::byte> frame) {
  node_.transport().send(self(), to, frame, {}, nullptr);
}

void Peers::reply(LeaseId to, std::span<const std::byte> frame) {
  Peer& other = of(to);
  const std::lock_guard lock(other.mutex);
  if (!other.send(frame)) other.is_full = true;
}

std::optional<Apart> Peers::place_of(Peer& other, const FramePair& pair, bool is_large) {
  if (other.is_in_order(is_large)) [[likely]]
    return std::nullopt;
  const bool is_apart =
      is_large ? node_.transport().sends_apart()
               : std::any_of(other.apart.begin(), other.apart.end(),
                             [&pair](const FramePair& before) { return before.meets(pair); });
  if (!is_apart) return std::nullopt;
  if (std::find(other.apart.begin(), other.apart.end(), pair) == other.apart.end())
    other.apart.push_back(pair);
  other.last_apart = ++sent_apart_;
  return Apart{pair, other.last_apart};
}

void Peers::on_apart_gone(LeaseId lease, std::uint64_t number) {
  if (!node_.is_here()) {
    return node_.worker(0).post(
        command([this, lease, number](Worker&) { on_apart_gone(lease, number); }));
  }
  Peer& other = of(lease);
  const std::lock_guard lock(other.mutex);
  if (other.last_apart == number) other.apart.clear();
}

void Peers::on_room(LeaseId lease) {
  if (!node_.is_here()) {
    return node_.worker(0).post(command([this, lease](Worker&) { on_room(lease); }));
  }
  Peer& other = of(lease);
  std::vector<Mailbox*> blocked;
  {
    const std::lock_guard lock(other.mutex);
    blocked.swap(other.blocked);
    other.is_full = false;
  }
  for (Mailbox* const mailbox : blocked) {
    at_home(*mailbox, [](Worker& home, Mailbox& there) { unblock(home, there); });
  }
}

// ── refusing ────────────────────────────────────────────────────────────────────────────────────

// The names of the peer are known in part only, so nothing more from it can be understood.
void Peers::refuse(LeaseId lease, const std::string& why) {
  of(lease).is_over = true;
  node_.transport().refuse(lease, why);
}

void Peers::on_excess(LeaseId lease) {
  if (of(lease).excesses.fetch_add(1) + 1 != excesses_limit) return;
  reader_of(lease).post(command([this, lease](Worker&) {
    refuse(lease,
           "it has asked for more than its share " + std::to_string(excesses_limit) + " times");
  }));
}

// ── nodes that go, and come back ────────────────────────────────────────────────────────────────

bool Peers::is_gone(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  return gone_.contains(lease);
}

bool Peers::note_gone(LeaseId lease) {
  forget_sent_names(lease);
  const std::lock_guard lock(mutex_);
  const bool is_new = gone_.insert(lease);
  forget_received_names_soon(lease);  // code that makes a record from now on sees that it is gone
  return is_new;
}

void Peers::note_ended(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  ended_.insert(lease);
}

bool Peers::meet_again(Peer& other) {
  other.is_forgotten = false;
  other.received.forget();
  other.unproven.forget();
  {
    const std::lock_guard lock(other.mutex);
    other.forget_sent_names();
    other.transport.meet(other.self, other.lease);
  }
  const std::lock_guard lock(mutex_);
  const bool is_back = gone_.contains(other.lease) && !ended_.contains(other.lease);
  gone_.erase(other.lease);
  return is_back;
}

void Peers::forget_sent_names(LeaseId lease) {
  if (!node_.is_here()) {
    return node_.worker(0).post(command([this, lease](Worker&) { forget_sent_names(lease); }));
  }
  Peer* const other = find(lease);
  if (other == nullptr) return;
  const std::lock_guard lock(other->mutex);
  other->forget_sent_names();
  other->blocked.clear();
}

void Peers::forget_received_names_soon(LeaseId lease) {
  reader_of(lease).post(command([this, lease](Worker& at) {
    Peer* const gone = find(lease);
    if (gone == nullptr) return;
    if (!gone->forgetting) gone->forgetting = std::make_unique<Forgetting>(*this, *gone);
    gone->forgetting->arm(at, at.now() + late_frames_patience);
  }));
}

// Frames still on their way may use the names that the peer has sent; after this time, the names
// are not needed.
void Forgetting::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Forgetting&>(timer);
  if (!self.peers.is_gone(self.peer.lease)) return;
  self.peer.forget_received_names();
  self.peers.erase_ended(self.peer);
}

// The peer's record is freed when all workers have finished what they were doing with it.
void Peers::erase_ended(Peer& gone) {
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
  const auto done = [last = std::move(last)] {
    if (pool_trim()) trim_heap();
  };
  node_.worker(0).post(command([this, done](Worker&) { pass_through_all(node_, 0, done); }));
}

}  // namespace coracle::detail
