// The name `dead-letters`, where a reader finds the messages that could not be delivered.
#pragma once

namespace coracle::detail {

class Mailbox;
struct MessageRecord;
class Worker;

// Keeps a copy of a message, but not of another record, that cannot be delivered, for the reader
// of the dead letters.
void bury(Worker& worker, const MessageRecord& record, const char* reason) noexcept;
// The mailbox of dead letters takes all that comes, whether or not an agent reads it. Has no effect
// on other mailboxes.
void restore_dead_letters(Mailbox& mailbox) noexcept;

}  // namespace coracle::detail
