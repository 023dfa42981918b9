// A node's links to the other nodes of its society: one for each node, made when it is first
// needed. On each link, both nodes first announce the lease under which they send, and the lease to
// which they send. A frame that arrives before the directory has announced these leases waits until
// it has; a frame for an earlier lease is left out.
#pragma once

#include "realizations/net/src/society/home/connectivity.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace coracle::distributed {

using namespace society;

class Peers final : public FrameTransport {
 public:
  explicit Peers(NodeConnectivity& connectivity);
  ~Peers() override;

  // --- FrameTransport ---
  net::SessionEvents* let_in(const net::Greeting& greeting) override;
  void on_link(net::Link& link) override;
  void leave() override;
  bool is_silent() const override;

  // --- Transport ---
  bool all_acknowledged() override;
  void refuse(LeaseId peer, std::string_view reason) override;

  // --- NodeEvents ---
  void on_nodes() override;

 private:
  class Peer;
  Peer& peer(const std::string& node);
  Peer* reach(LeaseId lease) {
    return latest_.first == lease && latest_.second != nullptr ? latest_.second : look_up(lease);
  }
  Peer* look_up(LeaseId lease);
  bool send_now(const Leases& leases, ByteSpan frame, const Content& content,
                const Apart* apart) override;
  void on_bound() override;
  void on_met(const Leases& leases) override;
  void part(LeaseId lease);
  void look_for(const std::string& node);
  void meet_again();
  void tidy();

  std::map<std::string, std::unique_ptr<Peer>> peers_;
  std::unordered_map<LeaseId, Peer*> by_lease_;  // to which something was sent
  std::pair<LeaseId, Peer*> latest_{};           // the latest entry of by_lease_ that was used
  // A lease whose session has ended and which has not ended itself, until the user meets it anew.
  struct Parted {
    enum State : std::uint8_t { away, there, told };  // `told`: the user was notified
    State state = away;
    Time due{};  // the time when the user may be notified that the node is there
  };
  std::map<LeaseId, Parted> parted_;
  std::map<LeaseId, Time> latest_meetings_;
  std::unique_ptr<net::Alarm> tidy_, meeting_;
};

}  // namespace coracle::distributed
