// Waiting for room in a mailbox. A sender's request goes to the mailbox's home, waits there in
// line, and comes back with a slot that is reserved for it.
#include "room.hpp"

#include "room_ticket.hpp"
#include "runtime/elsewhere/slot_waiting.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace coracle::detail {

namespace {

constexpr std::uint32_t sent_in_a_row = 64;  // about as many as a sender sends in its turns

constinit std::atomic<std::uint64_t> last_ticket{0};

// The effect of a waiting reader on a message without a slot.
enum class Wish : std::uint8_t { none, to_have, to_see };

// `match` is the reader's; nullptr matches anything.
Wish wish(const Match* match, const RoomTicket& ticket) {
  const bool is_seen = ticket.origin == 0 || (ticket.likeness->flags & withheld_flag) == 0;
  if (is_seen || match == nullptr || !match->looks_inside()) {
    return fits(match, ticket.likeness) ? Wish::to_have : Wish::none;
  }
  Envelope view(ticket.likeness);
  const bool may_fit = match->is_from(view);
  Access::release(view);
  return may_fit ? Wish::to_see : Wish::none;
}

// The ticket leaves the line with a slot, or to send its slot request once more.
void answer_wish(Worker& home, RoomTicket& ticket, Wish wanted) noexcept {
  ticket.target->extension->tickets.remove(ticket);
  if (wanted == Wish::to_have) {
    ticket.target->claimed.fetch_add(1);
    ticket.granted = ticket.reserved = true;
  } else {
    ticket.shows_all = true;
  }
  return_ticket(home, &ticket);
}

// Returns true if a reader waits for such a message; the ticket has then left the line.
bool offer_to_readers(Worker& home, RoomTicket& ticket) noexcept {
  Link& readers = ticket.target->readers;
  for (Link* link = readers.next; link != &readers; link = link->next) {
    const Wish wanted = wish(static_cast<Reader*>(link)->match(), ticket);
    if (wanted != Wish::none) return answer_wish(home, ticket, wanted), true;
  }
  return false;
}

}  // namespace

void Room::await(Envelope& envelope, CreditWaiter& waiter) {
  MessageRecord* const record = Access::record(envelope);
  auto ticket = std::make_unique<RoomTicket>();
  ticket->from = &worker_;
  ticket->target = record->target;
  ticket->waiter = &waiter;
  ticket->record = record;
  ticket->serial = ++last_ticket;
  RoomTicket::of(waiter) = ticket.get();
  Worker& home = *record->target->home.load(std::memory_order_acquire);
  if (worker_.exchange.is_full_to(*record->target)) {
    worker_.exchange.await(home.index(), ticket.release());
    return;
  }
  ticket->likeness = clone_record(*record);
  if (&home == &worker_) {
    add(ticket.release());
  } else {
    worker_.publish();  // messages that were sent before come first
    home.post(*ticket.release());
  }
}

// The sender no longer waits, so its ticket leaves the line, with the likeness of its message.
void forget_ticket(CreditWaiter& waiter) noexcept {
  RoomTicket* const ticket = std::exchange(RoomTicket::of(waiter), nullptr);
  if (ticket == nullptr) return;
  ticket->waiter = nullptr;
  ticket->record = nullptr;
  at_home(*ticket->target, [serial = ticket->serial](Worker& home, Mailbox& target) {
    if (!target.extension) return;
    RoomLine& line = target.extension->tickets;
    RoomTicket* const waiting = line.find(0, serial);
    if (waiting == nullptr) return;  // it is on its way back
    line.remove(*waiting);
    return_ticket(home, waiting);
  });
}

void unclaim_place(Mailbox& target) noexcept {
  target.claimed.fetch_sub(1);
  target.home.load()->post(command([&target](Worker& home) {
    if (target.home.load() == &home) home.room.grant(target);
  }));
}

void RoomTicket::run(Worker& worker) {
  if (way == Way::to_target) return worker.room.add(this);
  if (likeness != nullptr) free_record(likeness);
  const std::unique_ptr<RoomTicket> self(this);
  const bool is_used = waiter != nullptr && reserved;
  if (number != 0 && !is_used) worker.node().remote()->slots().withdraw(*target, number);
  if (waiter == nullptr) {
    if (!reserved) return;
    unclaim_place(*target);  // nobody wants the slot any more
    return;
  }
  if (reserved) set_flag(*record, claimed_flag);
  if (reserved && number != 0) fields_of(*record).entry = number;
  of(*waiter) = nullptr;
  waiter->on_credit(granted);
}

void return_ticket(Worker& home, RoomTicket* ticket) noexcept {
  if (ticket->origin != 0) return answer_slot_request(home, ticket);
  ticket->way = RoomTicket::Way::back;
  ticket->from->post(*ticket);
}

void Room::add(RoomTicket* ticket) noexcept {
  Mailbox& target = *ticket->target;
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home != &worker_) return home.post(*ticket);
  RoomLine& line = target.ext().tickets;
  if (!line.add(*ticket))
    return return_ticket(worker_, ticket);  // its node has used the number twice
  // This is noted before the next look for room, below.
  if ((target.mode.fetch_or(crowded) & crowded) == 0) {
    crowded_.push_back(&target);
    worker_.slots.call_in(target);
  }
  const std::uint32_t limit =
      target.is_held() ? target.limit.load() : worker_.node().options().absent_limit;
  const bool has_room = target.occupied() < limit && (target.mode_now() & bytes_full) == 0;
  if (!line.is_blocked(ticket->origin) && offer_to_readers(worker_, *ticket)) return;
  if (!has_room && !(target.is_held() && target.policy() == Overflow::wait)) {
    line.remove(*ticket);
    return return_ticket(worker_, ticket);
  }
  const std::uint64_t serial = ticket->serial;  // the ticket may go now
  grant(target, has_room);
  if (has_room || (target.mode_now() & elsewhere) == 0) return;
  if (RoomTicket* const waiting = line.find(0, serial)) request_slot(worker_, target, *waiting);
}

// A reader waits: a message that it wants is let in however full the mailbox is. A message from
// another node whose content the reader has to see first loses its position in line: its slot
// request is sent again, with all of the content.
void Room::offer_to(Mailbox& target, const Match& match) noexcept {
  Extension& ext = target.ext();
  if (ext.looking) ext.looking->end(match);  // of an earlier reader at the same address
  const bool is_done = ext.tickets.each(SlotScan::at_once, [&](RoomTicket& ticket) {
    const Wish wanted = wish(&match, ticket);
    if (wanted != Wish::none) answer_wish(worker_, ticket, wanted);
    return wanted != Wish::to_have;
  });
  if (is_done) return;
  if (!ext.looking) ext.looking = std::make_unique<SlotScan>(worker_, target);
  ext.looking->begin(match);
}

void SlotScan::begin(const Match& wanted) {
  if (place != idle) return next_.push_back(&wanted);
  seeking_ = {&wanted};
  mailbox_.extension->tickets.begin_round();
  arm(home_, home_.now() + pause);
}

void SlotScan::end(const Match& wanted) noexcept {
  std::erase(seeking_, &wanted);
  std::erase(next_, &wanted);
}

void SlotScan::on_time(TimerNode& timer) noexcept { static_cast<SlotScan&>(timer).look(); }

void SlotScan::forget_gone(Wanted& wanted) const noexcept {
  std::erase_if(wanted, [this](const Match* one) {
    const Link& readers = mailbox_.readers;
    for (const Link* link = readers.next; link != &readers; link = link->next) {
      if (static_cast<const Reader*>(link)->match() == one) return false;
    }
    return true;
  });
}

void SlotScan::look() {
  RoomLine& line = mailbox_.extension->tickets;
  forget_gone(seeking_);
  forget_gone(next_);
  const bool is_over = seeking_.empty() || line.go_round(at_once, [this](RoomTicket& ticket) {
    for (const Match* const one : seeking_) {
      const Wish wanted = wish(one, ticket);
      if (wanted == Wish::none) continue;
      if (wanted == Wish::to_have) end(*one);
      answer_wish(home_, ticket, wanted);
      break;
    }
    return !seeking_.empty();
  });
  if (is_over || seeking_.empty()) {
    seeking_ = std::exchange(next_, {});
    line.begin_round();
  }
  if (!seeking_.empty()) arm(home_, home_.now() + pause);
}

// While the reader is busy, half of the mailbox is emptied before the senders continue, and then
// only as many senders as will fill it. So each sender is woken for many messages at once rather
// than for each one. An idle worker grants all room there is, and a busy one does so now and then.
void Room::grant(Mailbox& target, bool all) noexcept {
  if ((target.mode_now() & crowded) == 0) return;
  RoomLine& line = target.extension->tickets;
  const std::uint32_t limit =
      target.is_held() ? target.limit.load() : worker_.node().options().absent_limit;
  std::uint32_t occupied = target.occupied();
  if ((occupied > limit / 2 && !all) || (target.mode_now() & bytes_full) != 0) return;
  std::uint32_t grants = all ? limit : (limit - occupied) / sent_in_a_row + 1;
  for (; grants != 0 && occupied < limit; --grants) {
    RoomTicket* const ticket = line.take_next();
    if (ticket == nullptr) break;
    target.claimed.fetch_add(1);
    ++occupied;
    ticket->granted = ticket->reserved = true;
    return_ticket(worker_, ticket);
  }
  if (!line.empty()) return;
  target.clear_mode(crowded);
  std::erase(crowded_, &target);
}

bool Room::grant_all() noexcept {
  const std::vector<Mailbox*> before = crowded_;
  for (Mailbox* const mailbox : before) {
    if (mailbox->home.load() == &worker_) {
      grant(*mailbox, true);
    } else {
      std::erase(crowded_, mailbox);
    }
  }
  return crowded_.size() != before.size();
}

void release_tickets(Worker& home, Mailbox& target) noexcept {
  if (!target.extension) return;
  while (RoomTicket* const ticket = target.extension->tickets.take()) {
    ticket->granted = true;  // to try again
    return_ticket(home, ticket);
  }
}

}  // namespace coracle::detail
