// Waiting for room in a mailbox on another node. The sender's ticket waits at the mailbox here. A
// slot request with a likeness of the message goes to the mailbox itself, waits there in line with
// all others, is shown to readers, and is answered: a slot is reserved, or there is none.
#include "slot_waiting.hpp"

#include "runtime/remote/homes.hpp"
#include "runtime/room/room_ticket.hpp"
#include "runtime/store/storing.hpp"

#include <utility>

namespace coracle::detail {

namespace {

// The content of a longer message stays at its sender during the slot request, until a reader has
// to see it. Otherwise a sender that tries a full mailbox again and again would have the content
// carried each time.
constexpr std::size_t shown_unasked = 4096;

void show(MessageRecord& likeness, bool all) noexcept {
  clear_flag(likeness, withheld_flag);
  if (all || likeness.content == nullptr || likeness.content->size <= shown_unasked) return;
  set_flag(likeness, withheld_flag);
}

// Drops a ticket that does not wait any more; nobody is notified.
void drop_ticket(RoomTicket& ticket) noexcept {
  ticket.target->extension->tickets.remove(ticket);
  free_record(ticket.likeness);
  delete &ticket;
}

using SlotState = ReservedSlots::State;

SlotState end_slot(Mailbox& target, LeaseId from, std::uint64_t number) noexcept {
  ReservedSlots* const slots = target.ext().reserved_slots.get();
  return slots != nullptr ? slots->end(from, number) : SlotState::none;
}

}  // namespace

// --- the sender's side ---

void request_slot(Worker& home, Mailbox& target, RoomTicket& ticket) {
  if (is_storing(target)) return;  // no mailbox stands behind it
  RemoteSide& side = *target.extension->remote;
  if (ticket.number != 0 || side.now.lease == 0 || side.parting) return;
  RoomLine& line = target.extension->tickets;
  line.set_slot_request(ticket, ++side.slot_requests);
  show(*ticket.likeness, ticket.shows_all);
  try {
    (void)home.node().remote()->slots().send(side.now, *ticket.likeness, ticket.number);
  } catch (const std::exception&) {
    line.set_slot_request(ticket, 0);  // it cannot be encoded; its sender will get that error
  }
}

void on_slot_answer(Worker& home, Mailbox& target, LeaseId from, std::uint64_t number,
                    std::uint8_t answer) {
  const RemoteSide* const side = target.extension ? target.extension->remote.get() : nullptr;
  if (side == nullptr || side->now.lease != from) return;
  RoomLine& line = target.extension->tickets;
  RoomTicket* const ticket = line.find_slot_request(number);
  if (ticket == nullptr) return;  // it found room here meanwhile; its message has the number
  if (answer == show_all && !ticket->shows_all) {
    line.set_slot_request(*ticket, 0);
    ticket->shows_all = true;
    return request_slot(home, target, *ticket);
  }
  line.remove(*ticket);
  ticket->reserved = answer == slot_reserved;
  ticket->granted = answer == slot_reserved || answer == try_again;
  if (ticket->reserved) target.claimed.fetch_add(1);
  if (!ticket->reserved) ticket->number = 0;  // no slot is reserved there
  return_ticket(home, ticket);
}

// --- the mailbox's side ---

void on_slot_request(Worker& home, Mailbox& target, RoomTicket* ticket) {
  ticket->target = &target;
  note_lease(home, target, ticket->origin);
  const ReservedSlots* const slots =
      target.extension ? target.extension->reserved_slots.get() : nullptr;
  if (slots != nullptr && slots->has(ticket->origin, ticket->number))
    return answer_slot_request(home, ticket);
  if (target.is_present()) return home.room.add(ticket);
  ticket->granted = true;  // to look up the present holder of the name
  answer_slot_request(home, ticket);
}

void answer_slot_request(Worker& home, RoomTicket* ticket) noexcept {
  const std::unique_ptr<RoomTicket> self(ticket);
  free_record(ticket->likeness);
  if (ticket->reserved) {
    auto& slots = ticket->target->ext().reserved_slots;
    if (!slots) slots = std::make_unique<ReservedSlots>(home, *ticket->target);
    slots->keep(ticket->origin, ticket->number);
  }
  const std::uint8_t answer = ticket->reserved    ? slot_reserved
                              : ticket->shows_all ? show_all
                              : ticket->granted   ? try_again
                                                  : no_slot;
  home.node().remote()->slots().reply(ticket->origin, *ticket->target, ticket->number, answer);
}

void on_slot_withdrawal(Worker& home, Mailbox& target, LeaseId from, std::uint64_t number) {
  if (!target.extension) return;
  const SlotState was = end_slot(target, from, number);
  if (was == SlotState::kept) target.claimed.fetch_sub(1);
  if (was != SlotState::none) return home.room.grant(target);
  if (RoomTicket* const ticket = target.extension->tickets.find(from, number)) drop_ticket(*ticket);
}

// The message of a slot request has come.
void use_reserved_slot(Worker& home, Mailbox& target, MessageRecord& record) {
  const std::uint64_t number = std::exchange(record.fields->entry, 0);
  if (number == 0) return;
  const LeaseId from = record.fields->origin;
  const SlotState was = end_slot(target, from, number);
  if (was == SlotState::none) return on_slot_withdrawal(home, target, from, number);
  set_flag(record, claimed_flag);
  if (was == SlotState::kept) return;
  target.claimed.fetch_add(1);
  home.room.grant(target);  // its node may have other slots again
}

void forget_slot_requests(Worker& home, Mailbox& target, LeaseId from) {
  Extension& ext = *target.extension;
  ext.tickets.each_of(from, drop_ticket);
  if (ext.reserved_slots) target.claimed.fetch_sub(ext.reserved_slots->end_all(from));
  home.room.grant(target);
}

}  // namespace coracle::detail
