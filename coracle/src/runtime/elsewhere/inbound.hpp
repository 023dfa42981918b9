// Messages from other nodes, at the mailbox that they are for (inbound.cpp).
#pragma once

#include "coracle/directory.hpp"
#include "runtime/mailbox/mailbox.hpp"
#include "runtime/sending/delivery.hpp"

#include <vector>

namespace coracle::detail {

// Takes in a message that was read on the target's own worker.
void take_in(Worker& home, Mailbox& target, MessageRecord* record) noexcept;
void receive_foreign(Worker& home, Mailbox& target, MessageRecord* record) noexcept;
// Sends a message back that no agent is present to read.
void return_foreign(Worker& home, Mailbox& target, MessageRecord* record) noexcept;
// Sends back what came for incarnations of the name up to `life`, none of which began here.
void turn_away_earlier(Worker& home, Mailbox& target, Incarnation life) noexcept;
// The agent here has ended, or lost its name. Messages for a later incarnation wait for that one.
// Returns the nodes to notify.
std::vector<LeaseId> close_incarnation(Worker& home, Mailbox& mailbox, Incarnation life) noexcept;
// Another node holds the name now.
void revoke_name(Worker& home, Mailbox& mailbox) noexcept;
// Nobody waits for a report of the foreign messages any more.
void drop_foreign(Worker& home, Mailbox& mailbox) noexcept;

}  // namespace coracle::detail
