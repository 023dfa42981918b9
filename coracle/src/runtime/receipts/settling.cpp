// The ends of messages: consumed, given back to be delivered again, or with another outcome.
#include "settling.hpp"

#include "receipt_state.hpp"
#include "runtime/elsewhere/inbound.hpp"
#include "runtime/groups/notes.hpp"
#include "runtime/node/dead_letters.hpp"
#include "runtime/sending/delivery.hpp"
#include "runtime/sending/fast_path.hpp"
#include "runtime/store/storing.hpp"

#include <exception>

namespace coracle::detail {

namespace {

Happening happening_of(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::consumed:
      return Happening::consumed;
    case Outcome::expired:
      return Happening::expired;
    case Outcome::refused:
      return Happening::refused;
    case Outcome::undeliverable:
      return Happening::undeliverable;
    case Outcome::dropped:
      return Happening::dropped;
    case Outcome::store_lost:
      return Happening::store_lost;
  }
  return Happening::undeliverable;
}

// Ends the requester's wait for a reply.
void drop_question(Worker& home, MessageRecord* question) noexcept {
  if ((question->flags & foreign_flag) != 0) {
    set_flag(*question, unanswered_flag);
    report(home, *question, Outcome::consumed, DropReason());
  } else {
    fail_asker(*question, Errc::unanswered);
  }
  free_record(question);
}

}  // namespace

void consume(Worker& home, MessageRecord* record) noexcept {
  if ((record->flags & revoked_flag) != 0) return free_record(record);
  Mailbox& target = *record->target;
  target.let_go(record);
  if (is_counted(*record)) {
    ++target.consumed;
    if (record->fields != nullptr) {
      tell_receipt(*record, Outcome::consumed);
      home.observing.observe(Happening::consumed, *record);
    }
    if (owes_answer(*record)) return drop_question(home, record);
    if ((record->flags & foreign_flag) != 0) report(home, *record, ReportKind::consumed);
  } else if (is_copy(*record)) {
    if ((record->flags & gap_flag) == 0) ++target.ext().count().copies_consumed;
  }
  free_record(record);
}

// The reader's reply could not be sent, so its request still needs one.
void owes_again(const MessageRecord& answer) noexcept {
  if ((answer.flags & reply_flag) == 0) return;
  for (MessageRecord* held = answer.source->in_hand; held != nullptr; held = held->next) {
    if (held->conversation == answer.conversation && held->source == answer.target)
      clear_flag(*held, answered_flag);
  }
}

void give_back(Worker& home, MessageRecord* record) noexcept {
  if ((record->flags & revoked_flag) != 0) return free_record(record);
  Mailbox& target = *record->target;
  target.let_go(record);
  clear_flag(*record, returned_flag);
  clear_flag(*record, answered_flag);
  home.observing.observe(Happening::given_back, *record);
  if (is_counted(*record)) {
    if (++fields_of(*record).deliveries > home.node().options().redelivery_limit) {
      bury(home, *record, "given back too often");
      return end_record(home, record, Outcome::undeliverable);
    }
    set_flag(*record, redelivered_flag);
    if (may_return(*record) && !target.is_present() && record->fields->life <= target.incarnation) {
      return return_foreign(home, target, record);
    }
    if (!target.is_held()) {
      record->fields->absent_until = home.now() + home.node().options().absent_time_to_live;
    }
    watch_expiry(home, target, *record);
  }
  if (hand_to_reader(home, target, record)) return;
  if (is_copy(*record)) {
    for (TapState& tap : target.ext().taps) {
      if (tap.id == record->fields->tap) ++tap.waiting(reason_of(*record));
    }
  } else {
    home.mailboxes.count_in(target, *record);
  }
  home.mailboxes.store_first(target, record);
}

// An exception destroys the message. Other messages that were taken with it may follow in any
// order, so all of them are queued again together, in the order in which they were handed out.
void return_later(MessageRecord* record) noexcept {
  set_flag(*record, returned_flag);
  record->target->set_mode(returns);
}

void requeue_returned(Worker& home, Mailbox& target) noexcept {
  target.clear_mode(returns);
  std::vector<MessageRecord*> returned;
  for (MessageRecord* record = target.in_hand; record != nullptr; record = record->next) {
    if ((record->flags & returned_flag) != 0) returned.push_back(record);
  }
  // The newest goes back first, so that the oldest is before all others in the end.
  for (MessageRecord* const record : returned) give_back(home, record);
}

void end_record(Worker& at, MessageRecord* record, Outcome outcome, DropReason reason) noexcept {
  Mailbox& target = *record->target;
  const bool here = target.home.load(std::memory_order_relaxed) == &at;
  Counters& counters = here ? target.ext().count() : at.flow.counters;
  if (is_counted(*record)) {
    switch (outcome) {
      case Outcome::expired:
        ++counters.expired;
        break;
      case Outcome::refused:
        ++counters.refused;
        break;
      case Outcome::dropped:
        ++counters.dropped[static_cast<std::size_t>(reason)];
        break;
      default:
        ++counters.undeliverable;
        break;
    }
    if (record->fields != nullptr) {
      tell_receipt(*record, outcome, reason);
      at.observing.observe(happening_of(outcome), *record, static_cast<std::uint64_t>(reason));
    }
    if ((record->flags & foreign_flag) != 0) report(at, *record, outcome, reason);
    tell_sender(at, *record, outcome, reason);
    at.node().finished(*record);
    if (outcome == Outcome::expired) bury(at, *record, "expired");
  } else if (is_copy(*record) && (record->flags & gap_flag) == 0) {
    ++counters.copies_consumed;
  }
  if ((record->flags & (request_flag | foreign_flag)) == request_flag && is_counted(*record)) {
    answer_for(at, *record, outcome);
  }
  free_record(record);
}

void Expiry::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Expiry&>(timer);
  expire(self.worker, self.mailbox);
}

void watch_expiry(Worker& home, Mailbox& target, const MessageRecord& record) {
  const OptionalFields& fields = *record.fields;
  Time when = fields.deadline;
  if (!is_there_for(target, record)) when = std::min(when, fields.absent_until);
  if (when == Time::max()) return;
  auto& timer = target.ext().expiry;
  if (timer == nullptr || timer->owner != &home) timer = std::make_unique<Expiry>(home, target);
  if (timer->place == TimerNode::idle || when < timer->when) timer->arm(home, when);
}

void expire(Worker& home, Mailbox& target) noexcept {
  if (!target.has_waiting()) return;
  const Time present = home.now();
  const auto end_of = [&target](const MessageView& message) {
    const MessageRecord& record = *Access::record(message);
    const OptionalFields* const fields = record.fields;
    if (fields == nullptr) return Time::max();
    return is_there_for(target, record) ? fields->deadline
                                        : std::min(fields->deadline, fields->absent_until);
  };
  const Match late = that([&](const MessageView& message) { return end_of(message) <= present; });
  while (MessageRecord* const record = target.take(late)) {
    home.mailboxes.left(target, *record);
    end_record(home, record, Outcome::expired);
  }
  target.each_waiting([&](const MessageRecord& record) {
    if (record.fields != nullptr) watch_expiry(home, target, record);
  });
}

}  // namespace coracle::detail

namespace coracle {

namespace {

// A message that is in hand is freed with its mailbox.
void free_unless_in_hand(detail::MessageRecord* record) noexcept {
  const bool is_in_hand = (record->flags & detail::revoked_flag) == 0 &&
                          (record->prev != nullptr || record->target->in_hand == record);
  if (!is_in_hand) detail::free_record(record);
}

// Runs `end` for a message that its owner no longer wants, on the worker that may do so, or
// `end_late` if its node has stopped and closed its ledger.
template <class End>
void on_its_worker(
    detail::MessageRecord* record, End end,
    void (*end_late)(detail::MessageRecord*) noexcept = free_unless_in_hand) noexcept {
  detail::Worker* const home = record->target->home.load(std::memory_order_acquire);
  if (home == detail::Worker::current()) return end(*home, record);
  if (home->node().stopping().over()) return end_late(record);
  home->post(detail::certain_command(
      [record, end, end_late](detail::Worker&) { on_its_worker(record, end, end_late); }));
}

}  // namespace

void Message::settle() noexcept {
  using detail::Worker;
  Worker* const worker = Worker::current();
  if (worker != nullptr && record_->target->home.load(std::memory_order_relaxed) == worker &&
      !worker->unwinding_ends_agent && !worker->unwinding()) [[likely]] {
    if (detail::consume_plain(*worker, record_)) [[likely]]
      return;
    return detail::consume(*worker, record_);
  }
  if (std::uncaught_exceptions() > 0) {
    return on_its_worker(record_, [](Worker& home, detail::MessageRecord* record) {
      if ((record->flags & detail::revoked_flag) != 0) return detail::give_back(home, record);
      detail::return_later(record);
    });
  }
  if (worker != nullptr && worker->unwinding_ends_agent) {
    return on_its_worker(
        record_, [](Worker& home, detail::MessageRecord* p) { detail::give_back(home, p); });
  }
  on_its_worker(record_, [](Worker& home, detail::MessageRecord* p) { detail::consume(home, p); });
}

void Message::keep() noexcept {
  if (record_ == nullptr || !is_request()) return;
  const detail::Worker* const home = record_->target->home.load(std::memory_order_acquire);
  if (home != detail::Worker::current()) return acknowledge();
  detail::set_flag(*record_, detail::answered_flag);
}

void Message::acknowledge() noexcept {
  if (record_ == nullptr) return;
  // The content stays readable: only the account of the message is closed.
  detail::MessageRecord* const kept = detail::clone_record(*record_);
  detail::set_flag(*kept, detail::revoked_flag);
  on_its_worker(std::exchange(record_, kept), [](detail::Worker& home, detail::MessageRecord* p) {
    detail::set_flag(*p, detail::answered_flag);
    detail::consume(home, p);
  });
}

Content Message::consume() noexcept {
  if (record_ == nullptr) return {};
  detail::Worker* const home = record_->target->home.load(std::memory_order_acquire);
  // Only the home worker may take the content away: elsewhere, in a Port, the home worker may just
  // be copying it.
  if (home != detail::Worker::current()) {
    Content shared = content();
    on_its_worker(std::exchange(record_, nullptr),
                  [](detail::Worker& at, detail::MessageRecord* p) { detail::consume(at, p); });
    return shared;
  }
  detail::MessageRecord* const record = std::exchange(record_, nullptr);
  Content content = Content::adopt(std::exchange(record->content, nullptr));
  if (!detail::consume_plain(*home, record)) detail::consume(*home, record);
  return content;
}

void Message::give_back() noexcept {
  if (record_ == nullptr) return;
  on_its_worker(std::exchange(record_, nullptr),
                [](detail::Worker& home, detail::MessageRecord* p) { detail::give_back(home, p); });
}

void Envelope::abandon() noexcept {
  on_its_worker(
      std::exchange(record_, nullptr),
      [](detail::Worker& home, detail::MessageRecord* p) {
        bury(home, *p, "abandoned by its carrier");
        detail::end_record(home, p, Outcome::undeliverable);
      },
      detail::free_record);
}

}  // namespace coracle
