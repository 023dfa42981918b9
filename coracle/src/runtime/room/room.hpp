// The mailboxes of one worker where senders wait for room (room.cpp).
#pragma once

#include "runtime/mailbox/mailbox.hpp"

#include <vector>

namespace coracle::detail {

struct RoomTicket;

class Room {
 public:
  explicit Room(Worker& worker) noexcept : worker_(worker) {}

  // The sender of the envelope, on this worker, waits for room.
  void await(Envelope& envelope, CreditWaiter& waiter);
  // A ticket has come to the mailbox: it gets a slot, or joins the line.
  void add(RoomTicket* ticket) noexcept;
  // Gives free slots to those who wait; with `all`, however few are free.
  void grant(Mailbox& target, bool all = false) noexcept;
  bool is_awaited() const noexcept { return !crowded_.empty(); }
  // Returns whether a mailbox has nobody left who waits.
  bool grant_all() noexcept;
  // A reader waits: a message that it wants is let in however full the mailbox is.
  void offer_to(Mailbox& target, const Match& match) noexcept;

 private:
  Worker& worker_;
  std::vector<Mailbox*> crowded_;  // mailboxes where somebody waits for room
};

// Sends a ticket, which has left the line, back to its sender.
void return_ticket(Worker& home, RoomTicket* ticket) noexcept;
// All who wait for room at a mailbox try again, or are refused.
void release_tickets(Worker& home, Mailbox& target) noexcept;
// The sender no longer waits.
void forget_ticket(CreditWaiter& waiter) noexcept;

}  // namespace coracle::detail
