// Waiting for room in a mailbox on another node (slot_waiting.cpp).
#pragma once

#include "coracle/directory.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <cstdint>

namespace coracle::detail {

// --- the sender's side ---
// Requests a slot at the mailbox's own node for a ticket that waits here.
void request_slot(Worker& home, Mailbox& target, RoomTicket& ticket);
void on_slot_answer(Worker& home, Mailbox& target, LeaseId from, std::uint64_t number,
                    std::uint8_t answer);

// --- the mailbox's side ---
void on_slot_request(Worker& home, Mailbox& target, RoomTicket* ticket);
void on_slot_withdrawal(Worker& home, Mailbox& target, LeaseId from, std::uint64_t number);
// Sends the answer, and frees the ticket.
void answer_slot_request(Worker& home, RoomTicket* ticket) noexcept;
// The message of a slot request has come.
void use_reserved_slot(Worker& home, Mailbox& target, MessageRecord& record);
void forget_slot_requests(Worker& home, Mailbox& target, LeaseId from);

}  // namespace coracle::detail
