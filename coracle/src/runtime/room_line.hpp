// The senders that wait for room in one mailbox. Those of one node go in the order in which they
// came, and the nodes take turns, so that none holds up another, however many of its senders wait.
#pragma once

#include "coracle/detail/waiting.hpp"
#include "coracle/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <map>

namespace coracle::detail {

struct RoomTicket;

class RoomLine {
 public:
  bool empty() const noexcept { return waiting_ == 0; }
  // Puts it last. False: one of its node has that number already.
  bool add(RoomTicket& ticket);
  void remove(RoomTicket& ticket) noexcept;
  // Takes the one whose turn it is; nullptr if none waits that may have a place.
  RoomTicket* take_next() noexcept;
  // Takes any; nullptr if none waits.
  RoomTicket* take() noexcept;
  // Of another node by its knock, of this one (origin 0) by its serial; nullptr if it is not here.
  RoomTicket* find(LeaseId origin, std::uint64_t number) const noexcept;

  // Those of that node get no places until it is unblocked.
  void block(LeaseId origin);
  bool is_blocked(LeaseId origin) const noexcept;
  void unblock(LeaseId origin) noexcept;

  // A sender of this node knocks at the mailbox's own node under that number; with 0 no more.
  void set_knock(RoomTicket& ticket, std::uint64_t number);
  RoomTicket* find_knock(std::uint64_t number) const noexcept;

  // Shows each that may have a place, until `show` says false. It may take out what it is shown.
  template <class Show>
  void each(const Show& show);
  // Shows each of a node. It must take out what it is shown.
  template <class Show>
  void each_of(LeaseId origin, const Show& show);

 private:
  // Of one node. It is in `turns_` while one of them waits and may have a place.
  struct Lane : Link {
    explicit Lane(LeaseId whose) noexcept : origin(whose) {}

    const LeaseId origin;
    Link tickets;
    std::map<std::uint64_t, RoomTicket*> numbered;
    bool blocked = false;
  };

  static RoomTicket& ticket_of(Link& link) noexcept;
  void put_in_turn(Lane& lane) noexcept;
  void leave_if_idle(Lane& lane) noexcept;

  std::map<LeaseId, Lane> lanes_;
  Link turns_;
  std::map<std::uint64_t, RoomTicket*> knocks_;  // of this node's
  std::size_t waiting_ = 0;
};

template <class Show>
void RoomLine::each(const Show& show) {
  for (auto at = lanes_.begin(); at != lanes_.end();) {
    Lane& lane = (at++)->second;
    if (lane.blocked) continue;
    const Link* const end = &lane.tickets;  // the lane goes with its last ticket
    for (Link* link = lane.tickets.next; link != end;) {
      RoomTicket& ticket = ticket_of(*link);
      link = link->next;
      if (!show(ticket)) return;
    }
  }
}

template <class Show>
void RoomLine::each_of(LeaseId origin, const Show& show) {
  for (auto lane = lanes_.find(origin); lane != lanes_.end() && lane->second.tickets.linked();
       lane = lanes_.find(origin)) {
    show(ticket_of(*lane->second.tickets.next));
  }
}

}  // namespace coracle::detail
