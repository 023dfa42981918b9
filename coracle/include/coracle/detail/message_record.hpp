// The hot part of an envelope: one cache line. The fields that few messages need are in
// OptionalFields.
#pragma once

#include <cstdint>

namespace coracle::detail {

class Mailbox;
struct ContentBlock;
struct OptionalFields;

// The properties of a message record; several may hold.
enum MessageFlag : std::uint16_t {
  request_flag = 1 << 0,      // the sender waits for a reply
  reply_flag = 1 << 1,        // the reply to a request
  failure_flag = 1 << 2,      // a reply that is a failure
  redelivered_flag = 1 << 3,  // handed out before, and not acknowledged
  copy_flag = 1 << 4,         // a copy for an eavesdropper
  gap_flag = 1 << 5,          // reports to an eavesdropper how many copies it missed
  marker_flag = 1 << 6,       // the last record on an old route of an agent that changed its worker
  revoked_flag = 1 << 7,      // held by an agent that was fenced: its end does not count any more
  claimed_flag = 1 << 8,      // has a slot that a sender on another worker reserved
  letter_flag = 1 << 9,       // a dead letter: not part of the ledger
  returned_flag = 1 << 10,    // destroyed by an exception: to be queued again, in its old order
  foreign_flag = 1 << 11,     // from another node, which gets a delivery report of its end
  withheld_flag = 1 << 12,    // a slot request whose content stayed with its sender
  simple_flag = 1 << 13,      // foreign, with the few optional fields of an ordinary message only
  forbidden_flag = 1 << 14,   // emptied because of the society's policy: nobody may read it
  oversize_flag = 1 << 15,    // from another node, larger than this node accepts: it is emptied
};

// Of a request that its reader has, for which no sender reserves a slot any more: it was answered,
// or its reader ensures that it will be.
inline constexpr MessageFlag answered_flag = claimed_flag;
// Of a request at its end, when it cannot be queued again: nobody has answered it.
inline constexpr MessageFlag unanswered_flag = returned_flag;

// A record moves between workers by value; exactly one list, ring slot or handle owns it.
struct MessageRecord {
  MessageRecord* next;
  MessageRecord* prev;
  Mailbox* source;
  Mailbox* target;
  ContentBlock* content;
  std::uint64_t conversation;
  OptionalFields* fields;
  // Stored in two parts, so that no store of one overlaps the load of another.
  std::uint32_t sequence_low;
  std::uint16_t sequence_high;
  std::uint16_t flags;

  // The message's number among its source's messages; beyond 48 bits the numbers begin again.
  std::uint64_t sequence() const noexcept {
    return std::uint64_t{sequence_high} << 32 | sequence_low;
  }
  void set_sequence(std::uint64_t number) noexcept {
    sequence_low = static_cast<std::uint32_t>(number);
    sequence_high = static_cast<std::uint16_t>(number >> 32);
  }
};
static_assert(sizeof(MessageRecord) == 64);

inline void set_flag(MessageRecord& record, MessageFlag flag) noexcept {
  record.flags = static_cast<std::uint16_t>(record.flags | flag);
}
inline void clear_flag(MessageRecord& record, MessageFlag flag) noexcept {
  record.flags = static_cast<std::uint16_t>(record.flags & ~unsigned{flag});
}

}  // namespace coracle::detail
