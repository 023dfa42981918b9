// The senders that wait for room in one mailbox. The senders of one node go in the order in which
// they came, and the nodes take turns, so that no node holds up another one, however many of its
// senders wait.
#pragma once

#include "coracle/detail/waiting.hpp"
#include "coracle/transport.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

namespace coracle::detail {

struct RoomTicket;

class RoomLine {
 public:
  bool empty() const noexcept { return waiting_ == 0; }
  // Puts the ticket last. Returns false if a ticket of its node has its number already.
  bool add(RoomTicket& ticket);
  void remove(RoomTicket& ticket) noexcept;
  // Takes the ticket whose turn it is; nullptr if none waits that may have a slot.
  RoomTicket* take_next() noexcept;
  // Takes any ticket; nullptr if none waits.
  RoomTicket* take() noexcept;
  // Finds a ticket of another node by the number of its slot request, or one of this node (origin
  // 0) by its serial; nullptr if it is not here.
  RoomTicket* find(LeaseId origin, std::uint64_t number) const noexcept;

  // Gives that node's tickets no slots until it is unblocked.
  void block(LeaseId origin);
  bool is_blocked(LeaseId origin) const noexcept;
  void unblock(LeaseId origin) noexcept;

  // A sender of this node has a slot request at the mailbox's own node under that number; with 0,
  // it has none any more.
  void set_slot_request(RoomTicket& ticket, std::uint64_t number);
  RoomTicket* find_slot_request(std::uint64_t number) const noexcept;

  // Shows each ticket of this node, and some of each other node that may have slots, until `show`
  // returns false. `show` may take out the ticket. Returns whether `show` has seen enough, or all.
  template <class Show>
  bool each(std::size_t most_of_others, const Show& show);
  // Begins to show the tickets of other nodes that wait now, a few at a time, by turns, from the
  // first.
  void begin_round() noexcept;
  // Shows the next tickets, until `show` returns false, as above. Returns whether the round is
  // over.
  template <class Show>
  bool go_round(std::size_t most, const Show& show);
  // Shows each ticket of a node. `show` must take out each of them.
  template <class Show>
  void each_of(LeaseId origin, const Show& show);

 private:
  // The tickets of one node. The lane is in `turns_` while one of them waits and may have a slot.
  struct Lane : Link {
    explicit Lane(LeaseId whose) noexcept : origin(whose) {}

    const LeaseId origin;
    Link tickets;
    Link* unseen = nullptr;  // the first that the present round has to show, and their number
    std::size_t unseen_count = 0;
    std::map<std::uint64_t, RoomTicket*> numbered;
    bool blocked = false;
  };
  using Lanes = std::map<LeaseId, Lane>;

  static RoomTicket& ticket_of(Link& link) noexcept;
  template <class Show>
  static bool show_next(Lane& lane, std::size_t most, std::size_t& shown, const Show& show);
  void put_in_turn(Lane& lane) noexcept;
  void leave_if_idle(Lane& lane) noexcept;

  Lanes lanes_;
  LeaseId shown_last_ = 0;  // the node whose tickets were shown last
  Link turns_;
  std::map<std::uint64_t, RoomTicket*> slot_requests_;  // of this node's tickets
  std::size_t waiting_ = 0;
};

template <class Show>
bool RoomLine::each(std::size_t most_of_others, const Show& show) {
  const std::size_t share = most_of_others / std::max<std::size_t>(lanes_.size(), 1) + 1;
  bool are_all = true;
  for (auto at = lanes_.begin(); at != lanes_.end();) {
    Lane& lane = (at++)->second;
    if (lane.blocked) continue;
    const Link* const end = &lane.tickets;  // the lane is erased with its last ticket
    std::size_t left = lane.origin != 0 ? std::min(share, most_of_others) : lane.numbered.size();
    if (lane.origin != 0) most_of_others -= std::min(left, lane.numbered.size());
    Link* link = lane.tickets.next;
    for (; link != end && left != 0; --left) {
      RoomTicket& ticket = ticket_of(*link);
      link = link->next;
      if (!show(ticket)) return true;
    }
    are_all = are_all && link == end;
  }
  return are_all;
}

// Shows tickets of one node. Returns false when `show` does.
template <class Show>
bool RoomLine::show_next(Lane& lane, std::size_t most, std::size_t& shown, const Show& show) {
  const Link* const end = &lane.tickets;  // the lane is erased with its last ticket
  for (bool is_last = false; !is_last && most != 0 && lane.unseen_count != 0; --most) {
    RoomTicket& ticket = ticket_of(*lane.unseen);
    lane.unseen = lane.unseen->next;
    is_last = lane.unseen == end;
    lane.unseen_count = is_last ? 0 : lane.unseen_count - 1;
    ++shown;
    if (!show(ticket)) return false;
  }
  return true;
}

template <class Show>
bool RoomLine::go_round(std::size_t most, const Show& show) {
  std::size_t shown = 0;
  for (std::size_t before = most; before != shown && !lanes_.empty();) {
    before = shown;
    const std::size_t share = most / lanes_.size() + 1;
    for (std::size_t turn = lanes_.size(); turn != 0 && !lanes_.empty(); --turn) {
      if (shown >= most) return false;
      auto at = lanes_.upper_bound(shown_last_);
      if (at == lanes_.end()) at = lanes_.begin();
      shown_last_ = at->first;
      if (at->second.blocked) continue;
      if (!show_next(at->second, std::min(share, most - shown), shown, show)) return false;
    }
  }
  return true;
}

template <class Show>
void RoomLine::each_of(LeaseId origin, const Show& show) {
  for (auto lane = lanes_.find(origin); lane != lanes_.end() && lane->second.tickets.linked();
       lane = lanes_.find(origin)) {
    show(ticket_of(*lane->second.tickets.next));
  }
}

}  // namespace coracle::detail
