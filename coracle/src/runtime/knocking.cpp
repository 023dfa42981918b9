// Waiting for room in a mailbox on another node. The sender's ticket waits at the party here; a
// likeness of its message knocks at the mailbox itself, where it waits in line with everybody's, is
// shown to readers, and is answered: a place is kept, or there is none.
#include "runtime/entrusting.hpp"
#include "runtime/remote_frames.hpp"
#include "runtime/room.hpp"

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

// It does not wait any more, and nobody is told.
void drop_ticket(RoomTicket& ticket) noexcept {
  ticket.target->extension->tickets.remove(ticket);
  free_parcel(ticket.likeness);
  delete &ticket;
}

using KeptPlace = KeptPlaces::Place;

KeptPlace end_place(Party& target, LeaseId from, std::uint64_t number) noexcept {
  KeptPlaces* const places = target.ext().kept_places.get();
  return places != nullptr ? places->end(from, number) : KeptPlace::none;
}

}  // namespace

// --- the sender's side ---

void Worker::knock(Party& target, RoomTicket& ticket) {
  if (is_entrusting(target)) return;  // there is no mailbox behind it
  RemoteSide& side = *target.extension->remote;
  if (ticket.number != 0 || side.now.lease == 0 || side.parting) return;
  RoomLine& line = target.extension->tickets;
  line.set_knock(ticket, ++side.knocks);
  show(*ticket.likeness, ticket.shows_all);
  try {
    (void)node_.remote()->send_knock(side.now, *ticket.likeness, ticket.number);
  } catch (const std::exception&) {
    line.set_knock(ticket, 0);  // it cannot be encoded, which its sender will hear
  }
}

void Worker::on_answer(Party& target, LeaseId from, std::uint64_t number, std::uint8_t answer) {
  const RemoteSide* const side = target.extension ? target.extension->remote.get() : nullptr;
  if (side == nullptr || side->now.lease != from) return;
  RoomLine& line = target.extension->tickets;
  RoomTicket* const ticket = line.find_knock(number);
  if (ticket == nullptr) return;  // it found room here meanwhile; its message says so
  if (answer == show_all && !ticket->shows_all) {
    line.set_knock(*ticket, 0);
    ticket->shows_all = true;
    return knock(target, *ticket);
  }
  line.remove(*ticket);
  ticket->reserved = answer == place_kept;
  ticket->granted = answer == place_kept || answer == try_again;
  if (ticket->reserved) target.claimed.fetch_add(1);
  if (!ticket->reserved) ticket->number = 0;  // nothing is kept there
  return_ticket(ticket);
}

// --- the mailbox's side ---

void Worker::on_knock(Party& target, RoomTicket* ticket) {
  ticket->target = &target;
  note_lease(*this, target, ticket->origin);
  const KeptPlaces* const places = target.extension ? target.extension->kept_places.get() : nullptr;
  if (places != nullptr && places->has(ticket->origin, ticket->number)) return answer_knock(ticket);
  if (target.is_present()) return add_ticket(ticket);
  ticket->granted = true;  // to look again where the name is now
  answer_knock(ticket);
}

void Worker::answer_knock(RoomTicket* ticket) noexcept {
  const std::unique_ptr<RoomTicket> self(ticket);
  free_parcel(ticket->likeness);
  if (ticket->reserved) {
    auto& places = ticket->target->ext().kept_places;
    if (!places) places = std::make_unique<KeptPlaces>(*this, *ticket->target);
    places->keep(ticket->origin, ticket->number);
  }
  const std::uint8_t answer = ticket->reserved    ? place_kept
                              : ticket->shows_all ? show_all
                              : ticket->granted   ? try_again
                                                  : no_place;
  node_.remote()->send_knock_answer(ticket->origin, *ticket->target, ticket->number, answer);
}

void Worker::on_unknock(Party& target, LeaseId from, std::uint64_t number) {
  if (!target.extension) return;
  const KeptPlace was = end_place(target, from, number);
  if (was == KeptPlace::kept) target.claimed.fetch_sub(1);
  if (was != KeptPlace::none) return grant_room(target);
  if (RoomTicket* const ticket = target.extension->tickets.find(from, number)) drop_ticket(*ticket);
}

// The message that knocked has come.
void Worker::use_entry(Party& target, Parcel& parcel) {
  const std::uint64_t number = std::exchange(parcel.extras->entry, 0);
  if (number == 0) return;
  const LeaseId from = parcel.extras->origin;
  const KeptPlace was = end_place(target, from, number);
  if (was == KeptPlace::none) return on_unknock(target, from, number);
  set_flag(parcel, claimed_flag);
  if (was == KeptPlace::kept) return;
  target.claimed.fetch_add(1);
  grant_room(target);  // its node may have others again
}

void Worker::forget_knocks(Party& target, LeaseId from) {
  Extension& ext = *target.extension;
  ext.tickets.each_of(from, drop_ticket);
  if (ext.kept_places) target.claimed.fetch_sub(ext.kept_places->end_all(from));
  grant_room(target);
}

}  // namespace coracle::detail
