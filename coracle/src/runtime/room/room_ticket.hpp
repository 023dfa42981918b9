// A sender's request for room, on its way to the mailbox that is full and back.
#pragma once

#include "runtime/mailbox/mailbox.hpp"
#include "runtime/sending/charge.hpp"
#include "runtime/worker/command.hpp"

namespace coracle::detail {

// Belongs to the worker where it is. Members marked `sender's` are touched only by the sender's
// worker, so that a sender may give up while the request is on its way: then it comes back without
// effect.
struct RoomTicket final : Command, Link {
  enum class Way : std::uint8_t { to_target, back };

  void run(Worker& worker) override;
  static RoomTicket*& of(CreditWaiter& waiter) { return waiter.ticket_; }

  Worker* from = nullptr;
  Mailbox* target = nullptr;
  MessageRecord* likeness = nullptr;  // the likeness of the message, for readers that wait for it
  CreditWaiter* waiter = nullptr;     // sender's
  MessageRecord* record = nullptr;    // sender's
  std::uint64_t serial = 0;           // no other ticket ever has it
  // Here: the number of the slot request at the mailbox's own node, if there is one. At that node:
  // the same number, and the node that it came from.
  std::uint64_t number = 0;
  LeaseId origin = 0;
  std::shared_ptr<const Charge> charge;  // charged to that node
  Way way = Way::to_target;
  bool granted = false;    // false when it comes back: denied for good
  bool reserved = false;   // a slot is reserved
  bool shows_all = false;  // a reader has to see the content
};

// Gives back a slot that was reserved in that mailbox, for the next in line.
void unclaim_place(Mailbox& target) noexcept;

}  // namespace coracle::detail
