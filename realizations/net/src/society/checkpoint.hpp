// Where the policy is asked whether a frame of the core may go on: at the clearinghouse, by which
// all of them go, and in a Distributed society at each node, for what it says and what it hears. It
// reads as much of a frame as that takes: who sends to whom, and the names that two nodes have
// agreed to call by numbers. What may not go on is emptied: its receiver learns the names in it and
// that there was something, which it says to the sender's node as it says what becomes of every
// message. The rules are those of docs/trust.md.
#pragma once

#include "authority.hpp"
#include "leases_of.hpp"
#include "pieces.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace coracle::society {

// A frame of the core as far as the checkpoint understands it. Its form is in
// coracle/src/runtime/remote_frames.hpp.
struct FrameAsked;

class Checkpoint {
 public:
  explicit Checkpoint(Authority& authority) : authority_(authority) {}

  // What becomes of a piece of a frame: it goes on; `instead` goes on in its place; nothing does;
  // or it makes no sense.
  enum class Ruling : std::uint8_t { passes, replaced, dropped, nonsense };
  Ruling rule(const Leases& leases, ByteSpan piece);
  // The same for a whole frame.
  Ruling rule_on_whole(const Leases& leases, ByteSpan frame) {
    return rule_on_frame(leases, pair_of(leases), frame);
  }
  // Valid until the next call.
  const Bytes& instead() const noexcept { return instead_; }

  void on_lease_ended(LeaseId lease);
  // What these have said to each other is nothing any more.
  void forget(const Leases& leases) {
    pairs_.erase({leases.from, leases.to});
    pairs_.erase({leases.to, leases.from});
  }

 private:
  // From one lease to another.
  struct Pair {
    std::vector<Name> names;                      // by number
    std::array<bool, piece_places> is_emptied{};  // further pieces of the frame there go nowhere
  };

  Pair& pair_of(const Leases& leases);
  Ruling rule_on_frame(const Leases& leases, Pair& pair, ByteSpan frame);
  Ruling rule_by_kind(const Leases& leases, Pair& pair, ByteSpan frame);
  Ruling rule_on_message(const Leases& leases, Pair& pair, ByteSpan frame);
  Ruling rule_on_ear(const Leases& leases, ByteSpan frame);
  Ruling rule_on_peek(const Leases& leases, ByteSpan frame);
  Ruling rule_on_last(const Leases& leases, ByteSpan frame);
  Ruling rule_on_keeper(const Leases& leases, ByteSpan frame);
  Ruling refuse_question(std::uint64_t token);
  bool is_allowed(LeaseId from, const FrameAsked& message);

  Authority& authority_;
  // Where there is one, there is that of the other direction as well: so those of a lease are
  // found by what is from it.
  std::map<std::pair<LeaseId, LeaseId>, Pair> pairs_;
  Bytes instead_;
};

}  // namespace coracle::society
