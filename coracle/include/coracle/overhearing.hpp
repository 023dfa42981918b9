// The options of a tap, and the notices and gaps that its eavesdropper gets besides the copies.
// Realization: coracle/src/runtime/groups. Tests: tests/conformance/promises/promise_07_*.cpp
#pragma once

#include "coracle/name.hpp"
#include "coracle/outcome.hpp"

#include <cstdint>
#include <optional>

namespace coracle {

// The options of one tap.
struct TapOptions {
  // At most so many copies wait in the eavesdropper's mailbox; a gap stands for the others.
  std::uint32_t limit = 1024;
  // Each worker of a node makes about so many copies in a second at most: it counts them in
  // intervals of 50 ms, or of one copy if `rate` is below 20. Zero: all copies are made. A message
  // beyond the rate is not copied; four times in a second, a gap with GapReason::rate says how many
  // there were. The gap comes later than the place where the copies are missing.
  std::uint32_t rate = 0;
  // The eavesdropper also gets notices (MessageView::notice) of what becomes of the messages that
  // were copied for it.
  bool outcomes = false;
};

// The stages of an overheard message that a notice can report. Each is reported once for each
// receiver at most, in this order; `ended` is the last one. Earlier ones may be left out.
enum class NoticeStage : std::uint8_t {
  kept,        // it is in the mailbox of an agent that is there
  handed_out,  // an agent has received it
  ended,       // it has its outcome
};

// The name of a stage: "kept", …
const char* to_string(NoticeStage stage) noexcept;

// A notice reports what has become of a message that an eavesdropper overheard by a tap with
// TapOptions::outcomes. It comes behind the copy, and has the copy's source, source_life(),
// sequence(), target(), conversation and tap; it has no other content. Nobody ever waits for it.
//
// The sender's node makes the notices, for the messages of its agents, from the same reports as
// receipts; so these are reported alike when the receiver is on another node.
//   several targets   each receiver's message has notices of its own, with the copy's sequence
//   given back        the message is handed out again without a further notice; its end comes
//   redirected        the receiver is the agent to which it was sent; stages at a second node may
//                     be left out
//   expired, nobody   it ends as `expired`; while nobody holds the target's name, there is no stage
//   stored            while the message store has it, there is no stage; its end comes, unless the
//                     sender's node has ended before
//   dead receiver     the message waits for the next holder of the name, and ends there
//   requests, replies each ends by itself
// No notices: of a message that was refused at once, since it is not overheard; of a broadcast
// in which nobody was interested; after the sender's node has ended, or the tap; of a message for
// which there was no copy (a gap), nearly always. At most 3 * TapOptions::limit notices wait, and
// 65,536 messages of each worker are followed at a time; gaps with GapReason::notices count the
// rest. Notices take no room from copies, and neither takes room from messages.
// Observers and recordings have no notices.
struct Notice {
  NoticeStage stage = NoticeStage::kept;
  // With NoticeStage::ended.
  std::optional<Outcome> outcome = {};
  // With Outcome::dropped.
  std::optional<DropReason> drop_reason = {};
  // The agent to which the message was sent; for a message to a group, one of its members.
  Name receiver = {};
};

// The reason for which a gap has come.
enum class GapReason : std::uint8_t {
  mailbox,  // `limit` copies were waiting, or there was no room on the way
  rate,     // the tap's rate was exceeded: no copies were made
  notices,  // it counts notices that are missing, and no copies
  unknown,  // a node that may have sent copies has died, or is out of reach
};

// The name of a reason: "mailbox", …
const char* to_string(GapReason reason) noexcept;

}  // namespace coracle
