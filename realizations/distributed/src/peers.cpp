#include "peer.hpp"

#include "realizations/net/src/society/beacon/endpoints_here.hpp"

#include <algorithm>
#include <utility>

namespace coracle::distributed {

namespace {

constexpr Duration tidy_pause = std::chrono::seconds(30);
constexpr Duration meeting_pause = std::chrono::seconds(1);

}  // namespace

Peers::Peers(NodeConnectivity& connectivity)
    : FrameTransport(connectivity),
      tidy_(connectivity.alarms().make([this] { tidy(); })),
      meeting_(connectivity.alarms().make([this] { meet_again(); })) {}

Peers::~Peers() = default;

// ── links ───────────────────────────────────────────────────────────────────────────────────────

Peers::Peer& Peers::peer(const std::string& node) {
  auto& found = peers_[node];
  if (!found) found = std::make_unique<Peer>(*this, node);
  return *found;
}

net::SessionEvents* Peers::let_in(const net::Greeting& greeting) { return &peer(greeting.node); }

void Peers::on_link(net::Link& link) { peer(link.node()).channel().bind(&link); }

// Returns the node of a lease, with a link to it; nullptr when the node is gone.
Peers::Peer* Peers::look_up(LeaseId lease) {
  const auto known = by_lease_.find(lease);
  if (known != by_lease_.end()) {
    latest_ = *known;
    return known->second;
  }
  const auto info = connectivity_.directory().replica().node_of(lease);
  if (!info) return nullptr;
  Peer& found = peer(info->node);
  const auto endpoints = endpoints_from(info->endpoints);
  if (net::Link* const link = found.channel().link()) {
    link->set_endpoints(endpoints);  // the other node may have dialled
  } else {
    found.channel().bind(&connectivity_.links().add(info->node, endpoints, found));
  }
  by_lease_[lease] = &found;
  return &found;
}

void Peers::leave() {
  for (const auto& [node, peer] : peers_) {
    if (net::Link* const link = peer->channel().link()) link->leave();
  }
}

bool Peers::is_silent() const {
  return std::none_of(peers_.begin(), peers_.end(), [](const auto& entry) {
    net::Link* const link = entry.second->channel().link();
    return link != nullptr && link->session().is_attached();
  });
}

void Peers::on_nodes() {
  const auto has_ended = [this](const auto& entry) {
    return !connectivity_.directory().replica().node_of(entry.first);
  };
  const std::size_t erased = std::erase_if(by_lease_, has_ended);
  latest_ = {};
  std::erase_if(parted_, has_ended);
  std::erase_if(latest_meetings_, has_ended);
  if (erased != 0) tidy_->set(connectivity_.clock().now() + tidy_pause);
  for (const auto& [node, peer] : peers_) peer->look_again();
}

// The session with the lease's node has ended. If the lease has not, both nodes begin anew under
// the same leases when the node is there again.
void Peers::part(LeaseId lease) {
  if (lease == 0 || user_ == nullptr) return;
  if (!parted_.try_emplace(lease).second) return;  // the user has sent nothing since
  by_lease_.erase(lease);
  latest_ = {};
  connectivity_.directory().replica().gate().forget({self_, lease});
  user_->on_gone(lease);
  if (!connectivity_.directory().replica().node_of(lease)) parted_.erase(lease);
}

// That node is there again. If this happens to a node again and again, it takes part only once in a
// while.
void Peers::look_for(const std::string& node) {
  const Time now = connectivity_.clock().now();
  for (auto& [lease, parted] : parted_) {
    const auto info = connectivity_.directory().replica().node_of(lease);
    if (parted.state != Parted::away || !info || info->node != node) continue;
    const auto latest = latest_meetings_.find(lease);
    parted.due = latest == latest_meetings_.end() ? now : latest->second + meeting_pause;
    parted.state = Parted::there;
  }
  meet_again();
}

void Peers::meet_again() {
  const Time now = connectivity_.clock().now();
  Time next = Time::max();
  std::vector<LeaseId> back;
  for (auto& [lease, parted] : parted_) {
    if (parted.state != Parted::there) continue;
    if (parted.due > now) {
      next = std::min(next, parted.due);
      continue;
    }
    parted.state = Parted::told;
    latest_meetings_[lease] = now;
    back.push_back(lease);
  }
  if (next != Time::max()) meeting_->set(next);
  for (const LeaseId lease : back) {
    if (user_ != nullptr) user_->on_back(lease);
  }
}

void Peers::on_met(const Leases& leases) {
  if (leases.from != self_ || parted_.erase(leases.to) == 0) return;
  // The node's later frames are read later: the caller may hold something that its user needs for
  // reading.
  connectivity_.soon([this, lease = leases.to] {
    const auto info = connectivity_.directory().replica().node_of(lease);
    if (info) peer(info->node).look_again();
  });
}

// A node that is gone for good needs no link any more.
void Peers::tidy() {
  std::unordered_set<const Peer*> known;
  for (const auto& [lease, peer] : by_lease_) known.insert(peer);
  for (auto each = peers_.begin(); each != peers_.end();) {
    Peer& peer = *each->second;
    if (!peer.is_silent() || known.contains(&peer)) {
      ++each;
      continue;
    }
    net::Link& link = *peer.channel().link();
    peer.channel().bind(nullptr);
    connectivity_.links().remove(link);
    each = peers_.erase(each);
  }
}

// ── Transport ───────────────────────────────────────────────────────────────────────────────────

void Peers::on_bound() {
  parted_.clear();  // under this lease the user has sent nothing
  for (const auto& [node, peer] : peers_) {
    peer->channel().take_up_to(largest_taken());
    peer->look_again();
  }
}

bool Peers::send_now(const Leases& leases, ByteSpan frame, const Content& content,
                     const Apart* apart) {
  if (leases.from != self_ || (!parted_.empty() && parted_.contains(leases.to))) return true;
  Peer* const found = reach(leases.to);
  return found == nullptr || found->send(leases, frame, content, apart);
}

// A node that was killed refuses connections long before its lease ends. It acknowledges nothing
// any more, so it is not waited for.
bool Peers::all_acknowledged() {
  bool all = is_handed_over();
  for (const auto& [lease, peer] : by_lease_) {
    FrameChannel& channel = peer->channel();
    if (channel.link()->is_out_of_reach()) continue;
    all = is_acknowledged(*channel.link()) && channel.waiting_bytes() == 0 && all;
  }
  return all;
}

void Peers::refuse(LeaseId peer, std::string_view reason) {
  connectivity_.run([this, peer, why = std::string(reason)] {
    const auto info = connectivity_.directory().replica().node_of(peer);
    const auto known = info ? peers_.find(info->node) : peers_.end();
    if (known != peers_.end()) known->second->fail(why);
  });
}

}  // namespace coracle::distributed
