// Waiting for room in a mailbox. A sender's request goes to the mailbox's home, waits there in
// line, and comes back with a slot that is reserved for it.
#include "room.hpp"

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
  view.release();
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
  home.return_ticket(&ticket);
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

bool Worker::route_is_full(const Mailbox& target) noexcept {
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home == this) return false;
  return !backlog_[home.index()].empty() || !node_.ring(*this, home).has_room();
}

void Worker::await_room(Envelope& envelope, CreditWaiter& waiter) {
  MessageRecord* const record = envelope.record();
  auto ticket = std::make_unique<RoomTicket>();
  ticket->from = this;
  ticket->target = record->target;
  ticket->waiter = &waiter;
  ticket->record = record;
  ticket->serial = ++last_ticket;
  RoomTicket::of(waiter) = ticket.get();
  Worker& home = *record->target->home.load(std::memory_order_acquire);
  if (route_is_full(*record->target)) {
    route_waiters_[home.index()].push_back(ticket.release());
    return;
  }
  ticket->likeness = clone_record(*record);
  if (&home == this) {
    add_ticket(ticket.release());
  } else {
    publish();  // messages that were sent before come first
    home.post(*ticket.release());
  }
}

// The sender no longer waits, so its ticket leaves the line, with the likeness of its message.
void Worker::forget(CreditWaiter& waiter) noexcept {
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
    home.return_ticket(waiting);
  });
}

void unclaim_place(Mailbox& target) noexcept {
  target.claimed.fetch_sub(1);
  target.home.load()->post(command([&target](Worker& home) {
    if (target.home.load() == &home) home.grant_room(target);
  }));
}

void RoomTicket::run(Worker& worker) {
  if (way == Way::to_target) return worker.add_ticket(this);
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

void Worker::return_ticket(RoomTicket* ticket) noexcept {
  if (ticket->origin != 0) return answer_slot_request(ticket);
  ticket->way = RoomTicket::Way::back;
  ticket->from->post(*ticket);
}

void Worker::add_ticket(RoomTicket* ticket) noexcept {
  Mailbox& target = *ticket->target;
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home != this) return home.post(*ticket);
  RoomLine& line = target.ext().tickets;
  if (!line.add(*ticket)) return return_ticket(ticket);  // its node has used the number twice
  // This is noted before the next look for room, below.
  if ((target.mode.fetch_or(crowded) & crowded) == 0) {
    crowded_.push_back(&target);
    call_in_places(target);
  }
  const std::uint32_t limit =
      target.is_held() ? target.limit.load() : node_.options().absent_limit;
  const bool has_room = target.occupied() < limit && (target.mode_now() & bytes_full) == 0;
  if (!line.is_blocked(ticket->origin) && offer_to_readers(*this, *ticket)) return;
  if (!has_room && !(target.is_held() && target.policy() == Overflow::wait)) {
    line.remove(*ticket);
    return return_ticket(ticket);
  }
  const std::uint64_t serial = ticket->serial;  // the ticket may go now
  grant_room(target, has_room);
  if (has_room || (target.mode_now() & elsewhere) == 0) return;
  if (RoomTicket* const waiting = line.find(0, serial)) slot_request(target, *waiting);
}

// A reader waits: a message that it wants is let in however full the mailbox is. A message from
// another node whose content the reader has to see first loses its position in line: its slot
// request is sent again, with all of the content.
void Worker::offer_ticket_to(Mailbox& target, const Match& match) noexcept {
  Extension& ext = target.ext();
  if (ext.looking) ext.looking->end(match);  // of an earlier reader at the same address
  const bool is_done = ext.tickets.each(SlotScan::at_once, [&](RoomTicket& ticket) {
    const Wish wanted = wish(&match, ticket);
    if (wanted != Wish::none) answer_wish(*this, ticket, wanted);
    return wanted != Wish::to_have;
  });
  if (is_done) return;
  if (!ext.looking) ext.looking = std::make_unique<SlotScan>(*this, target);
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
void Worker::grant_room(Mailbox& target, bool all) noexcept {
  if ((target.mode_now() & crowded) == 0) return;
  RoomLine& line = target.extension->tickets;
  const std::uint32_t limit =
      target.is_held() ? target.limit.load() : node_.options().absent_limit;
  std::uint32_t occupied = target.occupied();
  if ((occupied > limit / 2 && !all) || (target.mode_now() & bytes_full) != 0) return;
  std::uint32_t grants = all ? limit : (limit - occupied) / sent_in_a_row + 1;
  for (; grants != 0 && occupied < limit; --grants) {
    RoomTicket* const ticket = line.take_next();
    if (ticket == nullptr) break;
    target.claimed.fetch_add(1);
    ++occupied;
    ticket->granted = ticket->reserved = true;
    return_ticket(ticket);
  }
  if (!line.empty()) return;
  target.clear_mode(crowded);
  std::erase(crowded_, &target);
}

bool Worker::grant_all_room() noexcept {
  const std::vector<Mailbox*> before = crowded_;
  for (Mailbox* const mailbox : before) {
    if (mailbox->home.load() == this) {
      grant_room(*mailbox, true);
    } else {
      std::erase(crowded_, mailbox);
    }
  }
  return crowded_.size() != before.size();
}

void Worker::release_tickets(Mailbox& target) noexcept {
  if (!target.extension) return;
  while (RoomTicket* const ticket = target.extension->tickets.take()) {
    ticket->granted = true;  // to try again
    return_ticket(ticket);
  }
}

void Worker::wake_route_waiters() noexcept {
  for (unsigned other = 0; other < route_waiters_.size(); ++other) {
    auto& waiters = route_waiters_[other];
    if (waiters.empty() || !backlog_[other].empty()) continue;
    if (!node_.ring(*this, node_.worker(other)).has_room()) continue;
    for (RoomTicket* ticket : std::exchange(waiters, {})) {
      ticket->granted = true;
      return_ticket(ticket);
    }
  }
}

}  // namespace coracle::detail
