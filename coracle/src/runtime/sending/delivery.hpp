// Puts a message into its target's mailbox, or hands it to a reader that waits for it.
#pragma once

#include "coracle/detail/waiting.hpp"
#include "coracle/transport.hpp"
#include "runtime/mailbox/mailbox.hpp"

namespace coracle::detail {

// A message of an agent of this worker, for any target of the node.
Verdict deliver(Worker& at, Envelope& envelope);
// A record came by a ring.
void arrive(Worker& at, MessageRecord* record) noexcept;
// The message was accepted, and nothing has to precede it.
void arrive_at(Worker& home, Mailbox& target, MessageRecord* record) noexcept;
// Delivers the message if there is a reader or room; otherwise the overflow policy decides.
Verdict offer(Worker& home, Mailbox& target, MessageRecord* record, bool may_wait) noexcept;
// Puts the message into the mailbox, whatever the room.
void put(Worker& home, Mailbox& target, MessageRecord* record) noexcept;
// Returns false when no reader waits for such a message.
bool hand_to_reader(Worker& home, Mailbox& target, MessageRecord* record) noexcept;
void hand_out(Worker& home, Mailbox& target, MessageRecord* record) noexcept;
// The message has its slot in the mailbox, or needs none.
void release_claim(Worker& home, Mailbox& target, MessageRecord& record) noexcept;

}  // namespace coracle::detail
