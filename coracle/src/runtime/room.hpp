// A sender's request for room, on its way to the mailbox that is full and back.
#pragma once

#include "runtime/charge.hpp"
#include "runtime/command.hpp"
#include "runtime/party.hpp"

namespace coracle::detail {

// Belongs to the worker where it is. What is marked `sender's` is touched only there, so that a
// sender may give up while the request is on its way: it just comes back to nobody.
struct RoomTicket final : Command, Link {
  enum class Way : std::uint8_t { to_target, back };

  void run(Worker& worker) override;
  static RoomTicket*& of(CreditWaiter& waiter) { return waiter.ticket_; }

  Worker* from = nullptr;
  Party* target = nullptr;
  Parcel* likeness = nullptr;      // what the message looks like, for readers that wait for it
  CreditWaiter* waiter = nullptr;  // sender's
  Parcel* parcel = nullptr;        // sender's
  std::uint64_t serial = 0;        // no other one ever has it
  // Under this number the mailbox's own node has it, too; or, there, from which node it came.
  std::uint64_t number = 0;
  LeaseId origin = 0;
  std::shared_ptr<const Charge> charge;  // to that node
  Way way = Way::to_target;
  bool granted = false;    // or denied for good
  bool reserved = false;   // a place is kept
  bool shows_all = false;  // a reader has to see what the message says
};

// Gives back a place that was kept in that mailbox: it is the next one's.
void unclaim_place(Party& target) noexcept;

}  // namespace coracle::detail
