// Puts a message into its target's mailbox, or hands it to a reader that waits for it.
#include "delivery.hpp"

#include "fast_path.hpp"
#include "runtime/elsewhere/inbound.hpp"
#include "runtime/elsewhere/outbound.hpp"
#include "runtime/receipts/receipt_state.hpp"
#include "runtime/receipts/settling.hpp"
#include "runtime/room/room_ticket.hpp"

namespace coracle::detail {

namespace {

constexpr std::uint32_t redirects_limit = 8;

// Returns whether no holder of the name is known yet, and the name was never held here. Then a
// request of its holder arrived before the notice of that holder, and so would the reply.
bool is_yet_unknown(const Mailbox& target) noexcept {
  if (target.is_held() || target.incarnation != Incarnation()) return false;
  const RemoteSide* const side = target.extension ? target.extension->remote.get() : nullptr;
  return side == nullptr || side->next.life == Incarnation();
}

// Returns whether the latest notice of the name is that its holder on another node has ended. The
// next holder may send a request before the notice of that holder comes. Most replies carry the
// incarnation that sent the request; here it is later than the last known one.
bool may_be_held_again(const Mailbox& target, const MessageRecord& reply) noexcept {
  const RemoteSide* const side = known_side(target);
  return side != nullptr && !target.is_held() && reply.fields != nullptr &&
         side->next.life < reply.fields->asking_life;
}

}  // namespace

void release_claim(Worker& home, Mailbox& target, MessageRecord& record) noexcept {
  if ((record.flags & claimed_flag) == 0) return;
  clear_flag(record, claimed_flag);
  home.slots.count_release(target);
  if (home.exchange.drained_from() == home.index()) home.slots.release();
}

namespace {

Verdict deliver_elsewhere(Worker& at, Worker& home, Mailbox& target, Envelope& envelope) noexcept {
  MessageRecord* const record = Access::record(envelope);
  RecordRing& ring = at.node().ring(at, home);
  if (at.exchange.is_backed_up(home.index()) || !ring.has_room()) return Verdict::no_credit;
  const std::uint32_t mode = target.mode_now();
  const bool is_there = (mode & held) != 0;
  const auto policy = static_cast<Overflow>(mode & policy_mask);
  if ((record->flags & (reply_flag | claimed_flag)) == 0 &&
      (!is_there || policy == Overflow::wait || policy == Overflow::fail)) {
    if (!at.slots.take(target, mode, home))
      return Verdict::no_credit;  // its home decides what that means
    set_flag(*record, claimed_flag);
  }
  (void)ring.try_push(*record);
  ++at.flow.out;
  release_record(Access::release(envelope));
  at.exchange.note_pushed(home.index());
  if (ring.unpublished() >= publish_every) at.publish();
  return Verdict::carried;
}

}  // namespace

Verdict deliver(Worker& at, Envelope& envelope) {
  MessageRecord* const record = Access::record(envelope);
  at.observing.meet(*record);
  Mailbox& target = *record->target;
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home != &at) return deliver_elsewhere(at, home, target, envelope);
  if ((target.mode_now() & moves) != 0 && at.relocation.hold_back(target, record, at.index())) {
    Access::release(envelope);
    return Verdict::carried;
  }
  const Verdict verdict = offer(at, target, record, true);
  if (verdict == Verdict::carried) Access::release(envelope);
  return verdict;
}

void arrive(Worker& at, MessageRecord* record) noexcept {
  if (is_counted(*record)) {
    ++at.flow.in;
  } else if ((record->flags & copy_flag) != 0) {
    ++at.flow.copies_in;
  }
  Mailbox& target = *record->target;
  if ((record->flags & marker_flag) != 0) return at.relocation.on_marker(target, record);
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home != &at) return at.exchange.forward(home, record);
  if ((target.mode_now() & moves) != 0 &&
      at.relocation.hold_back(target, record, at.exchange.drained_from()))
    return;
  arrive_at(at, target, record);
}

void arrive_at(Worker& home, Mailbox& target, MessageRecord* record) noexcept {
  home.observing.meet(*record);
  if (is_copy(*record)) return home.overhearing.deliver(target, record);
  if ((record->flags & foreign_flag) != 0) return receive_foreign(home, target, record);
  // The sender's worker has accepted the message; a change since then does not make it refused.
  if (offer(home, target, record, false) != Verdict::carried) put(home, target, record);
}

void hand_out(Worker& home, Mailbox& target, MessageRecord* record) noexcept {
  hand_out_plain(home, target, record);
  if (record->fields != nullptr) {
    tell_receipt_handed_out(*record);
    home.observing.observe(Happening::handed_out, *record);
  }
  if ((record->flags & foreign_flag) != 0) report(home, *record, ReportKind::taken);
}

namespace {

void redirect(Worker& at, Mailbox& target, MessageRecord* record) noexcept {
  OptionalFields& fields = fields_of(*record);
  if (fields.target_name.empty()) fields.target_name = target.name;
  if (++fields.redirects > redirects_limit) {
    return end_record(at, record, Outcome::dropped, DropReason::newest);
  }
  fields.redirected_by = target.name;
  Mailbox& other = *at.mailboxes.resolve(target.extension->mailbox.redirect().view());
  // After this report, this node keeps the message.
  if (may_return(*record)) report(at, *record, ReportKind::moved_on);
  record->target = &other;
  at.touches(other);
  Worker& home = *other.home.load(std::memory_order_acquire);
  if (&home != &at) return at.exchange.forward(home, record);
  if (offer(at, other, record, false) != Verdict::carried) {
    end_record(at, record, Outcome::dropped, DropReason::newest);
  }
}

Verdict offer_at_length(Worker& home, Mailbox& target, MessageRecord* record,
                        bool may_wait) noexcept {
  if ((record->flags & reply_flag) != 0) {
    const bool leaves = (target.mode_now() & elsewhere) != 0 ||
                        (home.node().remote() != nullptr && is_yet_unknown(target));
    if (leaves) return put(home, target, record), Verdict::carried;
    if (home.node().remote() == nullptr || !may_be_held_again(target, *record))
      return answer(home, record), Verdict::carried;
    const ReplyOf which{record->conversation, record->fields->asking_life};
    put(home, target, record);
    return judge_reply(home, target, which), Verdict::carried;
  }
  if (record->fields != nullptr && record->fields->deadline != Time::max() &&
      record->fields->deadline <= home.now()) {
    release_claim(home, target, *record);
    return end_record(home, record, Outcome::expired), Verdict::carried;
  }
  const bool is_held =
      (target.mode_now() & steps) != 0 && home.node().holds().wants(target, *record);
  if (!is_held && target.readers.linked() && hand_to_reader(home, target, record))
    return Verdict::carried;
  const bool kept_place = (record->flags & claimed_flag) != 0;
  const bool is_there = target.is_held();
  const std::uint32_t limit =
      is_there ? target.limit.load(std::memory_order_relaxed) : home.node().options().absent_limit;
  if (kept_place || (target.occupied() < limit && (target.mode_now() & bytes_full) == 0)) {
    return put(home, target, record), Verdict::carried;
  }
  if (!is_there) return Verdict::full;
  switch (target.policy()) {
    case Overflow::wait:
      return may_wait && record->source != &target ? Verdict::no_credit : Verdict::full;
    case Overflow::fail:
      return Verdict::full;
    case Overflow::drop_newest:
      return end_record(home, record, Outcome::dropped, DropReason::newest), Verdict::carried;
    case Overflow::redirect:
      return redirect(home, target, record), Verdict::carried;
    case Overflow::keep_latest:
    case Overflow::drop_oldest:
      break;
  }
  home.mailboxes.make_room(target, *record);
  if (target.occupied() >= limit) {
    return end_record(home, record, Outcome::dropped, DropReason::newest), Verdict::carried;
  }
  return put(home, target, record), Verdict::carried;
}

}  // namespace

Verdict offer(Worker& home, Mailbox& target, MessageRecord* record, bool may_wait) noexcept {
  const bool is_plain = (record->flags & special_to_offer) == 0 && record->fields == nullptr;
  if (is_plain && offer_plain(home, target, record)) return Verdict::carried;
  return offer_at_length(home, target, record, may_wait);
}

void put(Worker& home, Mailbox& target, MessageRecord* record) noexcept {
  const bool is_there = is_there_for(target, *record);
  if (!is_there && is_counted(*record)) {
    fields_of(*record).absent_until = home.now() + home.node().options().absent_time_to_live;
  }
  const bool is_judged = (target.mode_now() & steps) != 0;
  if (record->fields != nullptr) {
    if (target.is_present()) tell_receipt(*record, Stage::delivered);
    if (record->fields->tracked) report(home, *record, ReportKind::delivered);
    home.observing.observe(Happening::kept, *record);
    watch_expiry(home, target, *record);
  }
  if (is_there && (target.mode_now() & elsewhere) != 0) return put_away(home, target, record);
  home.mailboxes.put_in(target, record);
  if (is_judged) home.node().holds().keep(home, target, *record);
}

bool hand_to_reader(Worker& home, Mailbox& target, MessageRecord* record) noexcept {
  for (Link* link = target.readers.next; link != &target.readers; link = link->next) {
    auto& reader = static_cast<Reader&>(*link);
    if (!fits(reader.match(), record)) continue;
    release_claim(home, target, *record);
    hand_out(home, target, record);
    reader.record = record;
    home.scheduler.schedule(reader);
    return true;
  }
  return false;
}

}  // namespace coracle::detail
