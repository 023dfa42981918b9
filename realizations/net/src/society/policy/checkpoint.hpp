// The checkpoint applies the policy to frames of the core: at the clearinghouse, which all frames
// pass, and in a Distributed society at each node, for frames that it sends and receives. The
// checkpoint reads as much of a frame as that needs: source, target, and the numbered names of two
// nodes. A refused frame is emptied: its receiver learns the names in it and that there was a
// message, and reports the refusal to the sender's node like every other outcome. The rules are
// those of docs/trust.md.
#pragma once

#include "authority.hpp"
#include "leases_of.hpp"
#include "realizations/net/src/society/frames/pieces.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace coracle::society {

// The fields of a core frame that the checkpoint reads. Its form is in
// coracle/include/coracle/support/core_frames.hpp.
struct FrameAsked;

class Checkpoint {
 public:
  explicit Checkpoint(Authority& authority) : authority_(authority) {}

  // The decision about a piece of a frame: the piece goes on, `instead` goes on in its place,
  // nothing goes on, or the piece is malformed.
  enum class Ruling : std::uint8_t { passes, replaced, dropped, nonsense };
  Ruling rule(const Leases& leases, ByteSpan piece);
  // The same for a whole frame.
  Ruling rule_on_whole(const Leases& leases, ByteSpan frame) {
    return rule_on_frame(leases, pair_of(leases), frame);
  }
  // Valid until the next call.
  const Bytes& instead() const noexcept { return instead_; }

  void on_lease_ended(LeaseId lease);
  // Forgets the numbered names and the pieces of these two leases.
  void forget(const Leases& leases) {
    pairs_.erase({leases.from, leases.to});
    pairs_.erase({leases.to, leases.from});
  }

 private:
  // The state from one lease to another.
  struct Pair {
    std::vector<Name> names;                      // names by number
    std::array<bool, piece_places> is_emptied{};  // the rest of that frame is dropped
  };

  Pair& pair_of(const Leases& leases);
  Ruling rule_on_frame(const Leases& leases, Pair& pair, ByteSpan frame);
  Ruling rule_by_kind(const Leases& leases, Pair& pair, ByteSpan frame);
  Ruling rule_on_message(const Leases& leases, Pair& pair, ByteSpan frame);
  Ruling rule_on_tap(const Leases& leases, ByteSpan frame);
  Ruling rule_on_look(const Leases& leases, ByteSpan frame);
  Ruling rule_on_last(const Leases& leases, ByteSpan frame);
  Ruling rule_on_store(const Leases& leases, ByteSpan frame);
  Ruling refuse_question(std::uint64_t token);
  bool is_allowed(LeaseId from, const FrameAsked& message);

  Authority& authority_;
  // Pairs exist in both directions or in neither, so all pairs of a lease are found by those that
  // begin with it.
  std::map<std::pair<LeaseId, LeaseId>, Pair> pairs_;
  Bytes instead_;
};

}  // namespace coracle::society
