// The ends of messages, at the home of their target: consumed, given back to be delivered again, or
// with another outcome.
#pragma once

#include "coracle/outcome.hpp"
#include "runtime/mailbox/mailbox.hpp"

namespace coracle::detail {

// The reader has finished with the message.
void consume(Worker& home, MessageRecord* record) noexcept;
// Puts a message back that was handed out.
void give_back(Worker& home, MessageRecord* record) noexcept;
// The same together with other messages, by requeue_returned().
void return_later(MessageRecord* record) noexcept;
void requeue_returned(Worker& home, Mailbox& target) noexcept;
// Ends a message that is in no list any more; its outcome is not Outcome::consumed.
void end_record(Worker& at, MessageRecord* record, Outcome outcome,
                DropReason reason = DropReason::oldest) noexcept;
// Makes the waiting message expire at its time.
void watch_expiry(Worker& home, Mailbox& target, const MessageRecord& record);
// Ends the waiting messages that have expired.
void expire(Worker& home, Mailbox& target) noexcept;

}  // namespace coracle::detail
