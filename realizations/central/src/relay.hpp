// The server's part between nodes: it passes on, in order, what the node of one lease sends to the
// node of another. Messages that have to wait for the receiver wait here, in the receiver's outlet.
// The amount is bounded for each two leases, so no node waits for the receiver of a third one. All
// functions run on the thread of the links.
#pragma once

#include "outlet.hpp"
#include "realizations/net/src/society/policy/checkpoint.hpp"
#include "realizations/net/src/society/service/directory_service.hpp"
#include "relay_frames.hpp"

#include <optional>
#include <unordered_map>

namespace coracle::central {

class Relay final : public Besides {
 public:
  // The most bytes that are kept for a node that takes nothing.
  static constexpr std::size_t most_waiting = std::size_t{256} << 20;

  // With an authority, the relay passes on only what the authority allows. The authority outlives
  // the relay.
  explicit Relay(Authority* authority = nullptr) {
    if (authority != nullptr) checkpoint_.emplace(*authority);
  }

  // --- Besides ---
  void on_lease(LeaseId lease, FrameChannel& channel) override;
  void on_lease_ended(LeaseId lease) override;
  const char* on_message(FrameChannel& from, const net::Arrived& message) override;
  void count(Census& census) const override;

 private:
  // The state of what goes from one lease to another.
  struct Pair {
    std::uint64_t unread = 0;  // in bytes
    bool is_asked = false;     // the count of read bytes was requested, and not reported since
    bool has_refused = false;  // a refusal came from there
  };
  // When one lease has a pair, the other lease has a pair as well.
  struct Place {
    Place(LeaseId lease, FrameChannel& channel) : outlet(lease, channel) {}
    Outlet outlet;
    std::unordered_map<LeaseId, Pair> pairs;
  };

  const char* on_ask(FrameChannel& from, ByteSpan header);
  static Pair& pair_of(Place& sender, Place& receiver, const Leases& leases);
  // Passes on frames that do not count as bytes between the two nodes.
  const char* pass_word(Place& sender, Place& receiver, const RelayedHead& head,
                        const net::Arrived& message);
  // Counts `bytes` that were sent to another node; returns what is wrong with that, or nullptr.
  const char* note(Pair& pair, std::uint64_t bytes);
  // Queue what the checkpoint lets go on.
  const char* pass_piece(Place& sender, Place& receiver, const RelayedHead& head,
                         const net::Arrived& message);
  const char* pass_frames(Place& sender, Place& receiver, const RelayedHead& head,
                          const net::Arrived& message);
  Checkpoint::Ruling rule(const Leases& leases, ByteSpan piece);
  void put(Place& receiver, ByteSpan header, ByteSpan content = {});
  // Handles bytes that are passed on to nobody: reports to their sender that they were read.
  static void drop(Place& sender, Pair& pair, const Leases& leases, std::uint64_t bytes);

  std::unordered_map<LeaseId, Place> places_;
  std::optional<Checkpoint> checkpoint_;
  std::uint64_t frames_ = 0, bytes_ = 0, refused_ = 0;  // of frames for another node
  std::uint64_t asked_ = 0;                             // the requests of nodes that fetch
};

}  // namespace coracle::central
