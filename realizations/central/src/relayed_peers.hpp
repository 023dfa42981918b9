// The way in which a node exchanges messages with the other nodes through the clearinghouse.
// Numbered names hold between the leases of two nodes. Between two leases, frames are in order and
// arrive once each, because there is one server and its links lose nothing. With another server,
// all leases are new.
#pragma once

#include "fetching.hpp"
#include "realizations/net/src/society/home/connectivity.hpp"
#include "relay_frames.hpp"

#include <deque>
#include <map>
#include <memory>

namespace coracle::central {

class RelayedPeers final : public FrameTransport {
 public:
  explicit RelayedPeers(NodeConnectivity& connectivity, const Delivery& delivery = {});
  ~RelayedPeers() override;

  void leave() override;

  // --- Transport ---
  bool all_acknowledged() override;
  void refuse(LeaseId peer, std::string_view reason) override;

  // --- NodeEvents ---
  void on_nodes() override;
  void on_service() override;
  void on_room() override;
  bool on_besides(const net::Arrived& message) override;

 private:
  class Peer;
  // A message for a lease that the node has not taken yet.
  struct Early {
    Bytes header, content;
  };

  bool send_now(const Leases& leases, ByteSpan frame, const Content& content,
                const Apart* apart) override;
  void on_bound() override;
  Peer* reach(LeaseId lease);
  bool read(const RelayedHead& head, const net::Arrived& message);
  bool goes_on(LeaseId lease, Peer& peer);
  bool read_piece(Peer& peer, const RelayedHead& head, const net::Arrived& message);
  bool read_frames(Peer& peer, const RelayedHead& head, ByteSpan frames);
  void part_with(LeaseId lease);
  // Sends a frame to the server, behind everything that was sent before.
  void say(const Bytes& frame) { connectivity_.directory().channel().send(frame); }

  // The nodes known under this node's lease; ordered, so that a run can be repeated.
  std::map<LeaseId, std::unique_ptr<Peer>> peers_;
  std::deque<Early> early_;
  Fetching fetching_;
};

}  // namespace coracle::central
