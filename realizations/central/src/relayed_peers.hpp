// How a node speaks with the others by the clearinghouse. What two nodes have told each other holds
// between their leases; between two leases frames are in order and once each, because the server is
// one and its links lose nothing. When it is another one, all leases are others.
#pragma once

#include "fetching.hpp"
#include "realizations/net/src/society/station.hpp"
#include "relay_frames.hpp"

#include <deque>
#include <map>
#include <memory>

namespace coracle::central {

class RelayedPeers final : public Traffic {
 public:
  explicit RelayedPeers(Station& station, const Delivery& delivery = {});
  ~RelayedPeers() override;

  void leave() override;

  // --- Links ---
  bool is_heard() override;
  void refuse(LeaseId peer, std::string_view reason) override;

  // --- NodeEvents ---
  void on_nodes() override;
  void on_service() override;
  void on_room() override;
  bool on_besides(const net::Arrived& message) override;

 private:
  class Peer;
  // What came for a lease that the node has not taken yet.
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
  // To the server, behind all that was sent.
  void say(const Bytes& frame) { station_.directory().way().send(frame); }

  // Of this lease of the node; in their order, so that a run can be repeated.
  std::map<LeaseId, std::unique_ptr<Peer>> peers_;
  std::deque<Early> early_;
  Fetching fetching_;
};

}  // namespace coracle::central
