// Where the clearinghouse asks whether a message may go on. It reads as much of the core's frames
// as that takes: who sends to whom, and the names that two nodes have agreed to call by numbers.
// What may not go on is emptied: its receiver learns the names in it and that there was something,
// which it says to the sender's node as it says what becomes of every message.
#pragma once

#include "realizations/net/src/society/authority.hpp"
#include "realizations/net/src/society/traffic.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace coracle::central {

using namespace society;

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
  // Valid until the next call.
  const Bytes& instead() const noexcept { return instead_; }

  void on_lease_ended(LeaseId lease);

 private:
  // From one lease to another.
  struct Pair {
    std::vector<Name> names;  // by number
    bool is_emptied = false;  // the further pieces of the present frame go nowhere
  };

  Ruling rule_on_frame(const Leases& leases, Pair& pair, ByteSpan frame);
  Ruling rule_on_message(const Leases& leases, Pair& pair, ByteSpan frame);
  Ruling rule_on_ear(const Leases& leases, ByteSpan frame);
  Ruling rule_on_peek(const Leases& leases, ByteSpan frame);
  Ruling rule_on_keeper(const Leases& leases, ByteSpan frame);
  Ruling refuse_question(std::uint64_t token);
  bool is_allowed(LeaseId from, const FrameAsked& message);

  Authority& authority_;
  std::map<std::pair<LeaseId, LeaseId>, Pair> pairs_;
  Bytes instead_;
};

}  // namespace coracle::central
