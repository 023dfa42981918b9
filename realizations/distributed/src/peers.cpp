#include "peers.hpp"

#include "station.hpp"

#include <algorithm>
#include <utility>

namespace coracle::distributed {

namespace {

// Says under which lease its sender speaks from now on; no frame of the node's begins so.
constexpr std::uint8_t lease_frame = 0xf0;

constexpr Duration tidy_pause = std::chrono::seconds(30);

}  // namespace

// Another node.
class Peers::Peer final : public net::SessionEvents {
 public:
  Peer(Peers& home, std::string node)
      : node_(std::move(node)), home_(home), way_(home.station_.turn(), home.largest_frame_) {}

  Way& way() noexcept { return way_; }
  bool send(ByteSpan frame, const Content& content) {
    if (told_ != home_.self_) say_lease();
    const bool has_room = way_.send(frame, content);
    if (!has_room) blocked_ = true;
    return has_room;
  }
  // The directory has told of its lease.
  void on_known(LeaseId lease) {
    if (lease == lease_) read_held();
  }

  void on_arrived(const net::Arrived& message) override {
    const Way::Got got = way_.take(message);
    if (got == Way::Got::nonsense) return fail("pieces of a frame that do not fit");
    if (got == Way::Got::part) return way_.release(message.bytes());
    if (way_.head().front() == std::byte{lease_frame}) {
      way_.release(message.bytes());
      return hear_lease();
    }
    if (lease_ == 0) return fail("a frame before its sender's lease");
    Content content = way_.content().empty() ? Content() : Content::bytes(way_.content());
    if (!held_.empty() || !is_known()) {
      const ByteSpan head = way_.head();
      held_.push_back({{head.begin(), head.end()}, std::move(content), lease_, message.bytes()});
      return;
    }
    read(lease_, way_.head(), std::move(content));
    way_.release(message.bytes());
  }
  void on_settled(const net::Settled&) override {}
  void on_credit(net::Lane) override {
    if (!way_.on_credit() || !std::exchange(blocked_, false)) return;
    if (home_.user_ != nullptr && lease_ != 0) home_.user_->on_room(lease_);
  }
  void on_open(net::Opening) override {}
  void on_lost(const net::Closing&) override {}
  void on_restarted(const net::Unsettled&) override { forget(); }
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&, const net::Unsettled&) override { forget(); }

  void fail(const std::string& why) { way_.link()->session().close(net::Reason::malformed, why); }
  void set_lease(LeaseId lease) noexcept {
    if (std::exchange(lease_, lease) != lease) is_known_ = false;
  }
  void forget_known() noexcept { is_known_ = false; }
  // Nobody is there, and nobody is expected.
  bool is_over() {
    return way_.link() != nullptr && !way_.link()->session().is_attached() && !is_known() &&
           held_.empty();
  }

 private:
  struct Held {
    Bytes head;
    Content content;
    LeaseId lease;
    std::size_t bytes;
  };

  void say_lease() {
    Bytes frame;
    FrameWriter out(frame);
    out.byte(lease_frame);
    out.number(home_.self_);
    told_ = home_.self_;
    way_.send(frame);
  }

  void hear_lease() {
    FrameReader in(way_.head());
    in.byte();
    const LeaseId lease = in.number();
    const auto info = home_.station_.directory().node_of(lease);
    if (!in.ok() || (info && info->node != node_)) return fail("a lease that is not its own");
    set_lease(lease);
  }

  // Whether the directory has told of that lease, and that it is this node's.
  bool is_known() {
    if (is_known_) return true;
    const auto info = home_.station_.directory().node_of(lease_);
    is_known_ = info && info->node == node_;
    if (is_known_) home_.by_lease_[lease_] = this;
    return is_known_;
  }

  void read_held() {
    if (!is_known()) return;
    for (const Held& each : std::exchange(held_, {})) {
      read(each.lease, each.head, each.content);
      way_.release(each.bytes);
    }
  }

  void read(LeaseId from, ByteSpan head, Content content) {
    if (home_.user_ != nullptr) home_.user_->on_frame(from, head, std::move(content));
  }

  // It is another one from now on, or nobody.
  void forget() {
    held_.clear();
    way_.bind(way_.link());
    told_ = 0;
    blocked_ = is_known_ = false;
    const LeaseId lease = std::exchange(lease_, 0);
    if (lease == 0) return;
    home_.by_lease_.erase(lease);
    if (home_.user_ != nullptr) home_.user_->on_gone(lease);
  }

  const std::string node_;
  Peers& home_;
  Way way_;
  LeaseId lease_ = 0;      // under which it speaks
  LeaseId told_ = 0;       // under which it knows us
  bool is_known_ = false;  // the directory has told of that lease
  bool blocked_ = false;
  std::deque<Held> held_;
};

Peers::Peers(Station& station, std::uint64_t largest_frame)
    : station_(station),
      largest_frame_(largest_frame),
      tidy_(station.alarms().make([this] { tidy(); })) {}

Peers::~Peers() = default;

// ── links ───────────────────────────────────────────────────────────────────────────────────────

Peers::Peer& Peers::peer(const std::string& node) {
  auto& found = peers_[node];
  if (!found) found = std::make_unique<Peer>(*this, node);
  return *found;
}

net::SessionEvents* Peers::let_in(const net::Greeting& greeting) { return &peer(greeting.node); }

void Peers::on_link(net::Link& link) { peer(link.node()).way().bind(&link); }

// The node of a lease, with a link to it; nullptr when it is gone.
Peers::Peer* Peers::reach(LeaseId lease) {
  const auto known = by_lease_.find(lease);
  if (known != by_lease_.end()) return known->second;
  const auto info = station_.directory().node_of(lease);
  if (!info) return nullptr;
  Peer& found = peer(info->node);
  if (found.way().link() == nullptr) {
    found.way().bind(&station_.links().add(info->node, endpoints_from(info->endpoints), found));
  }
  found.set_lease(lease);
  by_lease_[lease] = &found;
  return &found;
}

void Peers::leave() {
  for (const auto& [node, peer] : peers_) {
    if (net::Link* const link = peer->way().link()) link->leave();
  }
}

bool Peers::is_quiet() const {
  return std::all_of(peers_.begin(), peers_.end(), [](const auto& entry) {
    Way& way = entry.second->way();
    return way.link() == nullptr || !way.link()->session().is_attached() ||
           (way.waiting_bytes() == 0 && !way.link()->session().has_to_say());
  });
}

bool Peers::is_silent() const {
  return std::none_of(peers_.begin(), peers_.end(), [](const auto& entry) {
    net::Link* const link = entry.second->way().link();
    return link != nullptr && link->session().is_attached();
  });
}

void Peers::on_node(const NodeInfo& info) {
  const auto found = peers_.find(info.node);
  if (found != peers_.end()) found->second->on_known(info.lease);
}

void Peers::on_node_gone(LeaseId lease) {
  const auto known = by_lease_.find(lease);
  if (known == by_lease_.end()) return;
  known->second->forget_known();
  by_lease_.erase(known);
  tidy_->set(station_.clock().now() + tidy_pause);
}

// Whose node is gone for good needs no link any more.
void Peers::tidy() {
  for (auto each = peers_.begin(); each != peers_.end();) {
    Peer& peer = *each->second;
    if (!peer.is_over()) {
      ++each;
      continue;
    }
    net::Link& link = *peer.way().link();
    peer.way().bind(nullptr);
    station_.links().remove(link);
    each = peers_.erase(each);
  }
}

// ── Links ───────────────────────────────────────────────────────────────────────────────────────

void Peers::bind(LinkUser& user, LeaseId self) {
  user_ = &user;
  self_ = self;
}

void Peers::unbind() noexcept {
  user_ = nullptr;
  station_.end();
}

bool Peers::send(LeaseId to, std::span<const std::byte> frame, const Content& content) {
  if (station_.is_here()) {
    send_outgoing();
    return send_now(to, frame, content);
  }
  std::size_t waiting = 0;
  {
    const std::lock_guard lock(mutex_);
    outgoing_.push_back({to, {frame.begin(), frame.end()}, content});
    waiting = outgoing_.size();
    if (waiting >= most_outgoing) wanting_.push_back(to);
  }
  if (waiting == 1) station_.run([this] { send_outgoing(); });
  return waiting < most_outgoing;
}

bool Peers::send_now(LeaseId to, ByteSpan frame, const Content& content) {
  Peer* const found = reach(to);
  return found == nullptr || found->send(frame, content);
}

void Peers::send_outgoing() {
  std::vector<Outgoing> outgoing;
  std::vector<LeaseId> wanting;
  {
    const std::lock_guard lock(mutex_);
    if (outgoing_.empty()) return;
    outgoing.swap(outgoing_);
    wanting.swap(wanting_);
  }
  std::vector<LeaseId> full;
  for (const Outgoing& each : outgoing) {
    if (!send_now(each.to, each.frame, each.content)) full.push_back(each.to);
  }
  for (const LeaseId lease : wanting) {
    const bool is_full = std::find(full.begin(), full.end(), lease) != full.end();
    if (!is_full && user_ != nullptr) user_->on_room(lease);
  }
}

void Peers::refuse(LeaseId peer, std::string_view reason) {
  station_.run([this, peer, why = std::string(reason)] {
    const auto known = by_lease_.find(peer);
    if (known != by_lease_.end()) known->second->fail(why);
  });
}

}  // namespace coracle::distributed
