// Waiting for room in a mailbox on another node. The sender's ticket waits at the party here; a
// likeness of its message knocks at the mailbox itself, where it waits in line with everybody's, is
// shown to readers, and is answered: a place is kept, or there is none.
#include "runtime/entrusting.hpp"
#include "runtime/remote_frames.hpp"
#include "runtime/room.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

// What a longer message says stays where it is while it knocks, until a reader has to see it:
// otherwise whoever sends to a full mailbox again and again would have it carried each time.
constexpr std::size_t shown_unasked = 4096;

void show(Parcel& likeness, bool all) noexcept {
  clear_flag(likeness, withheld_flag);
  if (all || likeness.content == nullptr || likeness.content->size <= shown_unasked) return;
  set_flag(likeness, withheld_flag);
}

// Of those that knock at `target`.
template <class Which>
void end_knocks(Party& target, Which is_over) {
  auto& tickets = target.extension->tickets;
  const auto end = std::remove_if(tickets.begin(), tickets.end(), [&](RoomTicket* ticket) {
    if (!is_over(*ticket)) return false;
    free_parcel(ticket->likeness);
    delete ticket;
    return true;
  });
  tickets.erase(end, tickets.end());
}

}  // namespace

// --- the sender's side ---

void Worker::knock(Party& target, RoomTicket& ticket) {
  if (is_entrusting(target)) return;  // there is no mailbox behind it
  RemoteSide& side = *target.extension->remote;
  if (ticket.number != 0 || side.now.lease == 0 || side.parting) return;
  auto& tickets = target.extension->tickets;
  if (std::find(tickets.begin(), tickets.end(), &ticket) == tickets.end()) return;  // it is in
  ticket.number = ++side.knocks;
  show(*ticket.likeness, ticket.shows_all);
  try {
    (void)node_.remote()->send_knock(side.now, *ticket.likeness, ticket.number);
  } catch (const std::exception&) {
    ticket.number = 0;  // it cannot be encoded, which its sender will hear
  }
}

void Worker::on_answer(Party& target, LeaseId from, std::uint64_t number, std::uint8_t answer) {
  const RemoteSide* const side = target.extension ? target.extension->remote.get() : nullptr;
  if (side == nullptr || side->now.lease != from) return;
  auto& tickets = target.extension->tickets;
  const auto found = std::find_if(tickets.begin(), tickets.end(), [number](RoomTicket* ticket) {
    return ticket->number == number;
  });
  if (found == tickets.end()) return;  // it found room here meanwhile; its message says so
  RoomTicket* const ticket = *found;
  if (answer == show_all && !ticket->shows_all) {
    ticket->number = 0;
    ticket->shows_all = true;
    return knock(target, *ticket);
  }
  tickets.erase(found);
  ticket->reserved = answer == place_kept;
  ticket->granted = answer == place_kept || answer == try_again;
  if (ticket->reserved) target.claimed.fetch_add(1);
  if (!ticket->reserved) ticket->number = 0;  // nothing is kept there
  return_ticket(ticket);
}

// --- the mailbox's side ---

void Worker::on_knock(Party& target, RoomTicket* ticket) {
  ticket->target = &target;
  if (target.is_present()) return add_ticket(ticket);
  ticket->granted = true;  // to look again where the name is now
  answer_knock(ticket);
}

void Worker::answer_knock(RoomTicket* ticket) noexcept {
  const std::unique_ptr<RoomTicket> self(ticket);
  free_parcel(ticket->likeness);
  if (ticket->reserved) {
    ticket->target->ext().kept_places.push_back({ticket->origin, ticket->number});
  }
  const std::uint8_t answer = ticket->reserved    ? place_kept
                              : ticket->shows_all ? show_all
                              : ticket->granted   ? try_again
                                                  : no_place;
  node_.remote()->send_knock_answer(ticket->origin, *ticket->target, ticket->number, answer);
}

void Worker::on_unknock(Party& target, LeaseId from, std::uint64_t number) {
  if (!target.extension) return;
  if (std::erase(target.extension->kept_places, KeptPlace{from, number}) != 0) {
    target.claimed.fetch_sub(1);
    return grant_room(target);
  }
  end_knocks(target, [&](const RoomTicket& ticket) {
    return ticket.origin == from && ticket.number == number;
  });
}

// The message that knocked has come.
void Worker::use_entry(Party& target, Parcel& parcel) {
  const std::uint64_t number = std::exchange(parcel.extras->entry, 0);
  if (number == 0) return;
  const KeptPlace place{parcel.extras->origin, number};
  if (std::erase(target.ext().kept_places, place) != 0) return set_flag(parcel, claimed_flag);
  on_unknock(target, place.origin, number);
}

void Worker::forget_knocks(Party& target, LeaseId from) {
  auto& places = target.extension->kept_places;
  const std::size_t kept =
      std::erase_if(places, [from](const KeptPlace& place) { return place.origin == from; });
  target.claimed.fetch_sub(static_cast<std::uint32_t>(kept));
  end_knocks(target, [from](const RoomTicket& ticket) { return ticket.origin == from; });
  grant_room(target);
}

}  // namespace coracle::detail
