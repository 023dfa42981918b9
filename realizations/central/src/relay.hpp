// The server's part between nodes: passes on what the node of one lease says to that of another, in
// order. What has to wait for the receiver waits here, in its way; how much that may be is bounded
// for each two leases, so nobody waits for a third one's receiver.
// Everything is on the thread of the links.
#pragma once

#include "realizations/net/src/society/directory_service.hpp"
#include "relay_frames.hpp"

#include <unordered_map>

namespace coracle::central {

class Relay final : public Besides {
 public:
  // More than this is not kept for a node that takes nothing.
  static constexpr std::size_t most_waiting = std::size_t{256} << 20;

  // --- Besides ---
  void on_lease(LeaseId lease, Way& way) override;
  void on_lease_ended(LeaseId lease) override;
  const char* on_message(Way& from, const net::Arrived& message) override;

 private:
  struct Place {
    Way* way = nullptr;
    std::unordered_map<LeaseId, std::uint64_t> unread;  // bytes to each other lease
  };

  std::unordered_map<LeaseId, Place> places_;
};

}  // namespace coracle::central
