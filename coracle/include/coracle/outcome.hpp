// What becomes of a message: the stages it passes, the one outcome it ends with, and the ledger
// that accounts for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace coracle {

// How far a message has come. A later stage includes the earlier ones.
enum class Stage : std::uint8_t {
  accepted,   // the sender's node keeps it
  stored,     // its custodian would survive a restart with it
  delivered,  // it is in its target's mailbox, or in the target's hands
  consumed,   // a receive handed it out and it was acknowledged
};

// How a message ended. Every message that a node accepted ends exactly once.
enum class Outcome : std::uint8_t {
  consumed,
  expired,
  refused,
  undeliverable,
  dropped,
  custodian_lost,
};

// Which policy dropped a message.
enum class DropReason : std::uint8_t { oldest, newest, replaced, late_reply, receiver_gone };

// "consumed", "expired", …
const char* to_string(Outcome outcome) noexcept;
// "oldest", "newest", …
const char* to_string(DropReason reason) noexcept;

// Where all messages are. Exact per node at every turn:
// sent + received = in_flight + in_hand + queued + consumed + expired + refused + undeliverable +
// dropped + custodian_lost + passed_on. The copies that eavesdroppers get are accounted for by
// themselves. Over all nodes of a quiet society, received and passed_on are the same.
struct Ledger {
  std::uint64_t sent = 0;       // accepted or refused at once; one for each target
  std::uint64_t in_flight = 0;  // between two workers or nodes
  std::uint64_t in_hand = 0;    // handed out, not yet acknowledged
  std::uint64_t queued = 0;     // waiting in a mailbox
  std::uint64_t consumed = 0;
  std::uint64_t expired = 0;
  std::uint64_t refused = 0;
  std::uint64_t undeliverable = 0;
  std::uint64_t dropped[5] = {};  // by DropReason
  std::uint64_t custodian_lost = 0;
  std::uint64_t received = 0;   // from other nodes
  std::uint64_t passed_on = 0;  // ended at another node, or given back to the one it came from

  std::uint64_t copies_made = 0;      // for eavesdroppers: matched
  std::uint64_t copies_waiting = 0;   // in flight, queued or in hand
  std::uint64_t copies_consumed = 0;  // acknowledged, or dropped with their hearer
  std::uint64_t copies_missed = 0;    // counted in a gap marker instead
  std::uint64_t copies_received = 0;  // from other nodes
  std::uint64_t copies_passed_on = 0; // to other nodes

  // All that were dropped, whatever the reason.
  std::uint64_t dropped_total() const noexcept;
  // Whether both sums hold.
  bool balanced() const noexcept;
  // One line for people.
  std::string to_string() const;
};

}  // namespace coracle
