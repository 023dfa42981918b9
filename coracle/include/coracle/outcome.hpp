// The life of a message: the stages that it passes, the one outcome with which it ends, and the
// ledger that counts all messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace coracle {

// The stages of a message. A later stage includes the earlier ones.
enum class Stage : std::uint8_t {
  accepted,   // the sender's node keeps it
  stored,     // the message store has it and would keep it across a restart
  delivered,  // it is in its target's mailbox, or its target has received it
  consumed,   // a receive handed it out and the reader acknowledged it
};

// The outcomes of a message. Every message that a node accepted ends exactly once.
enum class Outcome : std::uint8_t {
  consumed,
  expired,
  refused,
  undeliverable,
  dropped,
  store_lost,
};

// The policy that dropped a message.
enum class DropReason : std::uint8_t { oldest, newest, replaced, late_reply, receiver_gone };

// The name of an outcome: "consumed", "expired", …
const char* to_string(Outcome outcome) noexcept;
// The name of a reason: "oldest", "newest", …
const char* to_string(DropReason reason) noexcept;

// The counts of all messages. At every moment they are exact for each node:
// sent + received = in_flight + in_hand + queued + consumed + expired + refused + undeliverable +
// dropped + store_lost + passed_on. The copies for eavesdroppers are counted separately. Summed
// over all nodes of a society at rest, received and passed_on are equal.
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
  std::uint64_t store_lost = 0;
  std::uint64_t received = 0;   // from other nodes
  std::uint64_t passed_on = 0;  // ended at another node, or given back to the one it came from

  std::uint64_t copies_made = 0;       // for eavesdroppers: matched; notices, too
  std::uint64_t copies_waiting = 0;    // in flight, queued or in hand
  std::uint64_t copies_consumed = 0;   // acknowledged, or dropped with their eavesdropper
  std::uint64_t copies_missed = 0;     // counted in a gap marker instead
  std::uint64_t copies_received = 0;   // from other nodes
  std::uint64_t copies_passed_on = 0;  // to other nodes

  // The number of all dropped messages, whatever the reason.
  std::uint64_t dropped_total() const noexcept;
  // Returns whether both sums hold: that of messages, and that of copies.
  bool balanced() const noexcept;
  // The counts in one line for people.
  std::string to_string() const;
};

}  // namespace coracle
