// The senders that wait for room in one mailbox. Those of one node go in the order in which they
// came, and the nodes take turns, so that none holds up another, however many of its senders wait.
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

  // Shows each of this node, and some of each other node that may have places, until `show` says
  // false. It may take out what it is shown. Returns whether `show` has seen enough, or all.
  template <class Show>
  bool each(std::size_t most_of_others, const Show& show);
  // Shows those of other nodes that wait now, a few at a time, by turns; and again from the first.
  void begin_round() noexcept;
  // The next ones, until `show` says false, as above. Returns whether the round is over.
  template <class Show>
  bool go_round(std::size_t most, const Show& show);
  // Shows each of a node. It must take out what it is shown.
  template <class Show>
  void each_of(LeaseId origin, const Show& show);

 private:
  // Of one node. It is in `turns_` while one of them waits and may have a place.
  struct Lane : Link {
    explicit Lane(LeaseId whose) noexcept : origin(whose) {}

    const LeaseId origin;
    Link tickets;
    Link* unseen = nullptr;  // the first that the present round has to show, and how many they are
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
  LeaseId shown_last_ = 0;  // whose were
  Link turns_;
  std::map<std::uint64_t, RoomTicket*> knocks_;  // of this node's
  std::size_t waiting_ = 0;
};

template <class Show>
bool RoomLine::each(std::size_t most_of_others, const Show& show) {
  const std::size_t share = most_of_others / std::max<std::size_t>(lanes_.size(), 1) + 1;
  bool are_all = true;
  for (auto at = lanes_.begin(); at != lanes_.end();) {
    Lane& lane = (at++)->second;
    if (lane.blocked) continue;
    const Link* const end = &lane.tickets;  // the lane goes with its last ticket
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

// Of one node. False when `show` says so.
template <class Show>
bool RoomLine::show_next(Lane& lane, std::size_t most, std::size_t& shown, const Show& show) {
  const Link* const end = &lane.tickets;  // the lane goes with its last ticket
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
