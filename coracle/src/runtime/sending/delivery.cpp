// Puts a message into its target's mailbox, or hands it to a reader that waits for it.
#include "fast_path.hpp"
#include "runtime/mailbox/room.hpp"

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

// The message has its slot in the mailbox, or needs none.
void Worker::release_claim(Mailbox& target, MessageRecord& record) noexcept {
  if ((record.flags & claimed_flag) == 0) return;
  clear_flag(record, claimed_flag);
  count_release(target);
  if (drained_from_ == index_) release_claims();
}

Verdict Worker::deliver(Envelope& envelope) {
  MessageRecord* const record = envelope.record();
  meet(*record);
  Mailbox& target = *record->target;
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home != this) return deliver_elsewhere(home, target, envelope);
  if ((target.mode_now() & moves) != 0 && hold_back(target, record, index_)) {
    envelope.release();
    return Verdict::carried;
  }
  const Verdict verdict = offer(target, record, true);
  if (verdict == Verdict::carried) envelope.release();
  return verdict;
}

Verdict Worker::deliver_elsewhere(Worker& home, Mailbox& target, Envelope& envelope) noexcept {
  MessageRecord* const record = envelope.record();
  RecordRing& ring = node_.ring(*this, home);
  if (!backlog_[home.index()].empty() || !ring.has_room()) return Verdict::no_credit;
  const std::uint32_t mode = target.mode_now();
  const bool is_there = (mode & held) != 0;
  const auto policy = static_cast<Overflow>(mode & policy_mask);
  if ((record->flags & (reply_flag | claimed_flag)) == 0 &&
      (!is_there || policy == Overflow::wait || policy == Overflow::fail)) {
    if (!claim_place(target, mode, home))
      return Verdict::no_credit;  // its home decides what that means
    set_flag(*record, claimed_flag);
  }
  (void)ring.try_push(*record);
  ++flow.out;
  release_record(envelope.release());
  dirty_[home.index()] = true;
  if (ring.unpublished() >= publish_every) publish();
  return Verdict::carried;
}

void Worker::forward(Worker& to, MessageRecord* record) noexcept {
  if (is_counted(*record)) {
    ++flow.out;
  } else if ((record->flags & copy_flag) != 0) {
    ++flow.copies_out;
  }
  dirty_[to.index()] = true;
  if (backlog_[to.index()].empty() && node_.ring(*this, to).try_push(*record)) {
    release_record(record);
  } else {
    backlog_[to.index()].push_back(record);
  }
}

void Worker::drain_backlog() noexcept {
  for (unsigned to = 0; to < backlog_.size(); ++to) {
    auto& waiting = backlog_[to];
    while (!waiting.empty() && node_.ring(*this, node_.worker(to)).try_push(*waiting.front())) {
      release_record(waiting.front());
      waiting.pop_front();
      dirty_[to] = true;
    }
  }
  wake_route_waiters();
}

std::size_t Worker::backlog_size() const noexcept {
  std::size_t sum = 0;
  for (const auto& waiting : backlog_) sum += waiting.size();
  return sum;
}

void Worker::arrive(MessageRecord* record) noexcept {
  if (is_counted(*record)) {
    ++flow.in;
  } else if ((record->flags & copy_flag) != 0) {
    ++flow.copies_in;
  }
  Mailbox& target = *record->target;
  if ((record->flags & marker_flag) != 0) return on_marker(target, record);
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home != this) return forward(home, record);
  if ((target.mode_now() & moves) != 0 && hold_back(target, record, drained_from_)) return;
  arrive_at(target, record);
}

void Worker::arrive_at(Mailbox& target, MessageRecord* record) noexcept {
  meet(*record);
  if (is_copy(*record)) return deliver_copy(target, record);
  if ((record->flags & foreign_flag) != 0) return receive_foreign(target, record);
  // The sender's worker has accepted the message; a change since then does not make it refused.
  if (offer(target, record, false) != Verdict::carried) put(target, record);
}

void Worker::hand_out(Mailbox& target, MessageRecord* record) noexcept {
  hand_out_plain(target, record);
  if (record->fields != nullptr) {
    report(*record, Stage::delivered);
    observe(Happening::handed_out, *record);
  }
  if ((record->flags & foreign_flag) != 0) report(*record, ReportKind::taken);
}

Verdict Worker::offer(Mailbox& target, MessageRecord* record, bool may_wait) noexcept {
  const bool is_plain = (record->flags & special_to_offer) == 0 && record->fields == nullptr;
  if (is_plain && offer_plain(target, record)) return Verdict::carried;
  return offer_at_length(target, record, may_wait);
}

Verdict Worker::offer_at_length(Mailbox& target, MessageRecord* record, bool may_wait) noexcept {
  if ((record->flags & reply_flag) != 0) {
    const bool leaves = (target.mode_now() & elsewhere) != 0 ||
                        (node_.remote() != nullptr && is_yet_unknown(target));
    if (leaves) return put(target, record), Verdict::carried;
    if (node_.remote() == nullptr || !may_be_held_again(target, *record))
      return answer(record), Verdict::carried;
    put(target, record);
    return judge_replies(*this, target), Verdict::carried;
  }
  if (record->fields != nullptr && record->fields->deadline != Time::max() &&
      record->fields->deadline <= now()) {
    release_claim(target, *record);
    return end_record(record, Outcome::expired), Verdict::carried;
  }
  if (target.readers.linked() && hand_to_reader(target, record)) return Verdict::carried;
  const bool kept_place = (record->flags & claimed_flag) != 0;
  const bool is_there = target.is_held();
  const std::uint32_t limit =
      is_there ? target.limit.load(std::memory_order_relaxed) : node_.options().absent_limit;
  if (kept_place || (target.occupied() < limit && (target.mode_now() & bytes_full) == 0)) {
    return put(target, record), Verdict::carried;
  }
  if (!is_there) return Verdict::full;
  switch (target.policy()) {
    case Overflow::wait:
      return may_wait && record->source != &target ? Verdict::no_credit : Verdict::full;
    case Overflow::fail:
      return Verdict::full;
    case Overflow::drop_newest:
      return end_record(record, Outcome::dropped, DropReason::newest), Verdict::carried;
    case Overflow::redirect:
      return redirect(target, record), Verdict::carried;
    case Overflow::keep_latest:
    case Overflow::drop_oldest:
      break;
  }
  make_room(target, *record);
  if (target.occupied() >= limit) {
    return end_record(record, Outcome::dropped, DropReason::newest), Verdict::carried;
  }
  return put(target, record), Verdict::carried;
}

void Worker::redirect(Mailbox& target, MessageRecord* record) noexcept {
  OptionalFields& fields = fields_of(*record);
  if (fields.target_name.empty()) fields.target_name = target.name;
  if (++fields.redirects > redirects_limit) {
    return end_record(record, Outcome::dropped, DropReason::newest);
  }
  fields.redirected_by = target.name;
  Mailbox& other = *resolve(target.extension->mailbox.redirect().view());
  // After this report, this node keeps the message.
  if (may_return(*record)) report(*record, ReportKind::moved_on);
  record->target = &other;
  touches(other);
  Worker& home = *other.home.load(std::memory_order_acquire);
  if (&home != this) return forward(home, record);
  if (offer(other, record, false) != Verdict::carried) {
    end_record(record, Outcome::dropped, DropReason::newest);
  }
}

void Worker::put(Mailbox& target, MessageRecord* record) noexcept {
  const bool is_there = is_there_for(target, *record);
  if (!is_there && is_counted(*record)) {
    fields_of(*record).absent_until = now() + node_.options().absent_time_to_live;
  }
  if (record->fields != nullptr) {
    if (target.is_present()) report(*record, Stage::delivered);
    if (record->fields->tracked) report(*record, ReportKind::delivered);
    observe(Happening::kept, *record);
    watch_expiry(target, *record);
  }
  if (is_there && (target.mode_now() & elsewhere) != 0) return put_away(target, record);
  put_in_mailbox(target, record);
}

bool Worker::hand_to_reader(Mailbox& target, MessageRecord* record) noexcept {
  for (Link* link = target.readers.next; link != &target.readers; link = link->next) {
    auto& reader = static_cast<Reader&>(*link);
    if (!fits(reader.match(), record)) continue;
    release_claim(target, *record);
    hand_out(target, record);
    reader.record = record;
    schedule(reader);
    return true;
  }
  return false;
}

}  // namespace coracle::detail
