#include "peer.hpp"

#include "realizations/net/src/society/endpoints_here.hpp"

#include <algorithm>
#include <utility>

namespace coracle::distributed {

namespace {

constexpr Duration tidy_pause = std::chrono::seconds(30);
constexpr Duration meeting_pause = std::chrono::seconds(1);

}  // namespace

Peers::Peers(Station& station)
    : Traffic(station),
      tidy_(station.alarms().make([this] { tidy(); })),
      meeting_(station.alarms().make([this] { meet_again(); })) {}

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
Peers::Peer* Peers::look_up(LeaseId lease) {
  const auto known = by_lease_.find(lease);
  if (known != by_lease_.end()) {
    latest_ = *known;
    return known->second;
  }
  const auto info = station_.directory().node_of(lease);
  if (!info) return nullptr;
  Peer& found = peer(info->node);
  const auto endpoints = endpoints_from(info->endpoints);
  if (net::Link* const link = found.way().link()) {
    link->set_endpoints(endpoints);  // it may have been the other one that dialled
  } else {
    found.way().bind(&station_.links().add(info->node, endpoints, found));
  }
  by_lease_[lease] = &found;
  return &found;
}

void Peers::leave() {
  for (const auto& [node, peer] : peers_) {
    if (net::Link* const link = peer->way().link()) link->leave();
  }
}

bool Peers::is_silent() const {
  return std::none_of(peers_.begin(), peers_.end(), [](const auto& entry) {
    net::Link* const link = entry.second->way().link();
    return link != nullptr && link->session().is_attached();
  });
}

void Peers::on_nodes() {
  const auto has_ended = [this](const auto& entry) {
    return !station_.directory().node_of(entry.first);
  };
  const std::size_t erased = std::erase_if(by_lease_, has_ended);
  latest_ = {};
  std::erase_if(parted_, has_ended);
  std::erase_if(latest_meetings_, has_ended);
  if (erased != 0) tidy_->set(station_.clock().now() + tidy_pause);
  for (const auto& [node, peer] : peers_) peer->look_again();
}

// The session with its node has ended. If its lease has not, both begin anew under the same leases
// when the node is there again.
void Peers::part(LeaseId lease) {
  if (lease == 0 || user_ == nullptr) return;
  if (!parted_.try_emplace(lease).second) return;  // the user has said nothing since
  by_lease_.erase(lease);
  latest_ = {};
  station_.directory().gate().forget({self_, lease});
  user_->on_gone(lease);
  if (!station_.directory().node_of(lease)) parted_.erase(lease);
}

// That node is there. One with which this happens again and again takes part once in a while only.
void Peers::look_for(const std::string& node) {
  const Time now = station_.clock().now();
  for (auto& [lease, parted] : parted_) {
    const auto info = station_.directory().node_of(lease);
    if (parted.state != Parted::away || !info || info->node != node) continue;
    const auto latest = latest_meetings_.find(lease);
    parted.due = latest == latest_meetings_.end() ? now : latest->second + meeting_pause;
    parted.state = Parted::there;
  }
  meet_again();
}

void Peers::meet_again() {
  const Time now = station_.clock().now();
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
  // What it has said since is read later: whoever sends may hold what its user needs for that.
  station_.soon([this, lease = leases.to] {
    const auto info = station_.directory().node_of(lease);
    if (info) peer(info->node).look_again();
  });
}

// Whose node is gone for good needs no link any more.
void Peers::tidy() {
  std::unordered_set<const Peer*> known;
  for (const auto& [lease, peer] : by_lease_) known.insert(peer);
  for (auto each = peers_.begin(); each != peers_.end();) {
    Peer& peer = *each->second;
    if (!peer.is_silent() || known.contains(&peer)) {
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

void Peers::on_bound() {
  parted_.clear();  // under this lease it has said nothing
  for (const auto& [node, peer] : peers_) {
    peer->way().take_up_to(largest_taken());
    peer->look_again();
  }
}

bool Peers::send_now(const Leases& leases, ByteSpan frame, const Content& content,
                     const Apart* apart) {
  if (leases.from != self_ || (!parted_.empty() && parted_.contains(leases.to))) return true;
  Peer* const found = reach(leases.to);
  return found == nullptr || found->send(leases, frame, content, apart);
}

bool Peers::is_heard() {
  bool all = is_handed_over();
  for (const auto& [lease, peer] : by_lease_) {
    Way& way = peer->way();
    all = is_acknowledged(*way.link()) && way.waiting_bytes() == 0 && all;
  }
  return all;
}

void Peers::refuse(LeaseId peer, std::string_view reason) {
  station_.run([this, peer, why = std::string(reason)] {
    const auto info = station_.directory().node_of(peer);
    const auto known = info ? peers_.find(info->node) : peers_.end();
    if (known != peers_.end()) known->second->fail(why);
  });
}

}  // namespace coracle::distributed
