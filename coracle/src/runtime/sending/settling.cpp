// The ends of messages: consumed, given back to be delivered again, or with another outcome.
#include "fast_path.hpp"
#include "receipt_state.hpp"
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
    home.report(*question, Outcome::consumed, DropReason());
  } else {
    fail_asker(*question, Errc::unanswered);
  }
  free_record(question);
}

}  // namespace

void Worker::consume(MessageRecord* record) noexcept {
  if ((record->flags & revoked_flag) != 0) return free_record(record);
  Mailbox& target = *record->target;
  target.let_go(record);
  if (is_counted(*record)) {
    ++target.consumed;
    if (record->fields != nullptr) {
      report(*record, Outcome::consumed);
      observe(Happening::consumed, *record);
    }
    if (owes_answer(*record)) return drop_question(*this, record);
    if ((record->flags & foreign_flag) != 0) report(*record, ReportKind::consumed);
  } else if (is_copy(*record)) {
    if ((record->flags & gap_flag) == 0) ++target.ext().counters.copies_consumed;
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

void Worker::give_back(MessageRecord* record) noexcept {
  if ((record->flags & revoked_flag) != 0) return free_record(record);
  Mailbox& target = *record->target;
  target.let_go(record);
  clear_flag(*record, returned_flag);
  clear_flag(*record, answered_flag);
  observe(Happening::given_back, *record);
  if (is_counted(*record)) {
    if (++fields_of(*record).deliveries > node_.options().redelivery_limit) {
      bury(*record, "given back too often");
      return end_record(record, Outcome::undeliverable);
    }
    set_flag(*record, redelivered_flag);
    if (may_return(*record) && !target.is_present() && record->fields->life <= target.incarnation) {
      return return_foreign(target, record);
    }
    if (!target.is_held()) {
      record->fields->absent_until = now() + node_.options().absent_time_to_live;
    }
    watch_expiry(target, *record);
  }
  if (hand_to_reader(target, record)) return;
  if (is_copy(*record)) {
    for (TapState& tap : target.ext().taps) {
      if (tap.id == record->fields->tap) ++tap.queued;
    }
  } else {
    count_in(target, *record);
  }
  store_first(target, record);
}

// An exception destroys the message. Other messages that were taken with it may follow in any
// order, so all of them are queued again together, in the order in which they were handed out.
void Worker::return_later(MessageRecord* record) noexcept {
  set_flag(*record, returned_flag);
  record->target->set_mode(returns);
}

void Worker::requeue_returned(Mailbox& target) noexcept {
  target.clear_mode(returns);
  std::vector<MessageRecord*> returned;
  for (MessageRecord* record = target.in_hand; record != nullptr; record = record->next) {
    if ((record->flags & returned_flag) != 0) returned.push_back(record);
  }
  // The newest goes back first, so that the oldest is before all others in the end.
  for (MessageRecord* const record : returned) give_back(record);
}

void Worker::end_record(MessageRecord* record, Outcome outcome, DropReason reason) noexcept {
  Mailbox& target = *record->target;
  const bool here = target.home.load(std::memory_order_relaxed) == this;
  Counters& counters = here ? target.ext().counters : flow.counters;
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
      report(*record, outcome);
      observe(happening_of(outcome), *record, static_cast<std::uint64_t>(reason));
    }
    if ((record->flags & foreign_flag) != 0) report(*record, outcome, reason);
    tell_sender(*this, *record, outcome, reason);
    node_.finished(*record);
    if (outcome == Outcome::expired) bury(*record, "expired");
  } else if (is_copy(*record) && (record->flags & gap_flag) == 0) {
    ++counters.copies_consumed;
  }
  if ((record->flags & (request_flag | foreign_flag)) == request_flag && is_counted(*record)) {
    answer_for(*record, outcome);
  }
  free_record(record);
}

void Worker::bury(const MessageRecord& record, const char* reason) noexcept {
  if (is_counted(record)) node_.bury(*this, record, reason);
}

void Expiry::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Expiry&>(timer);
  self.worker.expire(self.mailbox);
}

void Worker::watch_expiry(Mailbox& target, const MessageRecord& record) {
  const OptionalFields& fields = *record.fields;
  Time when = fields.deadline;
  if (!is_there_for(target, record)) when = std::min(when, fields.absent_until);
  if (when == Time::max()) return;
  auto& timer = target.ext().expiry;
  if (timer == nullptr || timer->owner != this) timer = std::make_unique<Expiry>(*this, target);
  if (timer->place == TimerNode::idle || when < timer->when) timer->arm(*this, when);
}

void Worker::expire(Mailbox& target) noexcept {
  if (!target.has_waiting()) return;
  const Time present = now();
  const auto end_of = [&target](const MessageView& message) {
    const MessageRecord& record = *message.record();
    const OptionalFields* const fields = record.fields;
    if (fields == nullptr) return Time::max();
    return is_there_for(target, record) ? fields->deadline
                                        : std::min(fields->deadline, fields->absent_until);
  };
  const Match late = that([&](const MessageView& message) { return end_of(message) <= present; });
  while (MessageRecord* const record = target.take(late)) {
    left_mailbox(target, *record);
    end_record(record, Outcome::expired);
  }
  target.each_waiting([&](const MessageRecord& record) {
    if (record.fields != nullptr) watch_expiry(target, record);
  });
}

}  // namespace coracle::detail

namespace coracle {

namespace {

// Runs `end` for a message that its owner no longer wants, on the worker that may do so.
template <class End>
void on_its_worker(detail::MessageRecord* record, End end) noexcept {
  detail::Worker* const home = record->target->home.load(std::memory_order_acquire);
  if (home == detail::Worker::current()) return end(*home, record);
  if (home->node().over()) return detail::free_record(record);  // its ledger is closed
  home->post(detail::command([record, end](detail::Worker&) { on_its_worker(record, end); }));
}

}  // namespace

void Message::settle() noexcept {
  using detail::Worker;
  Worker* const worker = Worker::current();
  if (worker != nullptr && record_->target->home.load(std::memory_order_relaxed) == worker &&
      !worker->unwinding_ends_agent && !worker->unwinding()) [[likely]] {
    if (worker->consume_plain(record_)) [[likely]]
      return;
    return worker->consume(record_);
  }
  if (std::uncaught_exceptions() > 0) {
    return on_its_worker(record_, [](Worker& home, detail::MessageRecord* record) {
      if ((record->flags & detail::revoked_flag) != 0) return home.give_back(record);
      home.return_later(record);
    });
  }
  if (worker != nullptr && worker->unwinding_ends_agent) {
    return on_its_worker(record_,
                         [](Worker& home, detail::MessageRecord* p) { home.give_back(p); });
  }
  on_its_worker(record_, [](Worker& home, detail::MessageRecord* p) { home.consume(p); });
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
    home.consume(p);
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
                  [](detail::Worker& at, detail::MessageRecord* p) { at.consume(p); });
    return shared;
  }
  detail::MessageRecord* const record = std::exchange(record_, nullptr);
  Content content = Content::adopt(std::exchange(record->content, nullptr));
  if (!home->consume_plain(record)) home->consume(record);
  return content;
}

void Message::give_back() noexcept {
  if (record_ == nullptr) return;
  on_its_worker(std::exchange(record_, nullptr),
                [](detail::Worker& home, detail::MessageRecord* p) { home.give_back(p); });
}

void Envelope::abandon() noexcept {
  on_its_worker(std::exchange(record_, nullptr),
                [](detail::Worker& home, detail::MessageRecord* p) {
                  home.bury(*p, "abandoned by its carrier");
                  home.end_record(p, Outcome::undeliverable);
                });
}

}  // namespace coracle
