// The server's part between nodes: passes on what the node of one lease says to that of another, in
// order. What has to wait for the receiver waits here, in its outlet; how much that may be is
// bounded for each two leases, so nobody waits for a third one's receiver. Everything is on the
// thread of the links.
#pragma once

#include "outlet.hpp"
#include "realizations/net/src/society/checkpoint.hpp"
#include "realizations/net/src/society/directory_service.hpp"
#include "relay_frames.hpp"

#include <optional>
#include <unordered_map>

namespace coracle::central {

class Relay final : public Besides {
 public:
  // More than this is not kept for a node that takes nothing.
  static constexpr std::size_t most_waiting = std::size_t{256} << 20;

  // With an authority, what goes by is what it allows. It outlives the relay.
  explicit Relay(Authority* authority = nullptr) {
    if (authority != nullptr) checkpoint_.emplace(*authority);
  }

  // --- Besides ---
  void on_lease(LeaseId lease, Way& way) override;
  void on_lease_ended(LeaseId lease) override;
  const char* on_message(Way& from, const net::Arrived& message) override;
  void count(Census& census) const override;

 private:
  // From one lease to another.
  struct Pair {
    std::uint64_t unread = 0;  // bytes
    bool is_asked = false;     // how much was read: the other has not said it since
    bool has_refused = false;  // what came from there
  };
  // Where one lease has a pair, the other has one as well.
  struct Place {
    Place(LeaseId lease, Way& way) : outlet(lease, way) {}
    Outlet outlet;
    std::unordered_map<LeaseId, Pair> pairs;
  };

  const char* on_ask(Way& from, ByteSpan header);
  static Pair& pair_of(Place& sender, Place& receiver, const Leases& leases);
  // Passes on frames that do not count as bytes between the two.
  const char* pass_word(Place& sender, Place& receiver, const RelayedHead& head,
                        const net::Arrived& message);
  // What one has sent is for another from now on; what is wrong with that, if anything.
  const char* note(Pair& pair, std::uint64_t bytes);
  // Put on what the checkpoint lets go on.
  const char* pass_piece(Place& sender, Place& receiver, const RelayedHead& head,
                         const net::Arrived& message);
  const char* pass_frames(Place& sender, Place& receiver, const RelayedHead& head,
                          const net::Arrived& message);
  Checkpoint::Ruling rule(const Leases& leases, ByteSpan piece);
  void put(Place& receiver, ByteSpan header, ByteSpan content = {});
  // So many bytes of what one has sent go on to nobody: it hears that they were read.
  static void drop(Place& sender, Pair& pair, const Leases& leases, std::uint64_t bytes);

  std::unordered_map<LeaseId, Place> places_;
  std::optional<Checkpoint> checkpoint_;
  std::uint64_t frames_ = 0, bytes_ = 0, refused_ = 0;  // that came for another node
  std::uint64_t asked_ = 0;                             // how often nodes asked for theirs
};

}  // namespace coracle::central
