// How a message ends: consumed, given back to be delivered again, or with another outcome.
#include "runtime/entrusting.hpp"
#include "runtime/fast_path.hpp"
#include "runtime/receipt_state.hpp"

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
    case Outcome::custodian_lost:
      return Happening::custodian_lost;
  }
  return Happening::undeliverable;
}

// Whoever asked need not wait any longer.
void drop_question(Worker& home, Parcel* question) noexcept {
  if ((question->flags & foreign_flag) != 0) {
    set_flag(*question, unanswered_flag);
    home.mark(*question, Outcome::consumed, DropReason());
  } else {
    fail_asker(*question, Errc::unanswered);
  }
  free_parcel(question);
}

}  // namespace

void Worker::consume(Parcel* parcel) noexcept {
  if ((parcel->flags & revoked_flag) != 0) return free_parcel(parcel);
  Party& target = *parcel->target;
  target.let_go(parcel);
  if (is_counted(*parcel)) {
    ++target.consumed;
    if (parcel->extras != nullptr) {
      report(*parcel, Outcome::consumed);
      observe(Happening::consumed, *parcel);
    }
    if (owes_answer(*parcel)) return drop_question(*this, parcel);
    if ((parcel->flags & foreign_flag) != 0) mark(*parcel, Mark::consumed);
  } else if (is_copy(*parcel)) {
    if ((parcel->flags & gap_flag) == 0) ++target.ext().counters.copies_consumed;
  }
  free_parcel(parcel);
}

// Its reader has tried to answer it, in vain.
void owes_again(const Parcel& answer) noexcept {
  if ((answer.flags & reply_flag) == 0) return;
  for (Parcel* held = answer.source->in_hand; held != nullptr; held = held->next) {
    if (held->conversation == answer.conversation && held->source == answer.target)
      clear_flag(*held, answered_flag);
  }
}

void Worker::give_back(Parcel* parcel) noexcept {
  if ((parcel->flags & revoked_flag) != 0) return free_parcel(parcel);
  Party& target = *parcel->target;
  target.let_go(parcel);
  clear_flag(*parcel, returned_flag);
  clear_flag(*parcel, answered_flag);
  observe(Happening::given_back, *parcel);
  if (is_counted(*parcel)) {
    if (++extras_of(*parcel).deliveries > node_.options().redelivery_limit) {
      bury(*parcel, "given back too often");
      return end_parcel(parcel, Outcome::undeliverable);
    }
    set_flag(*parcel, redelivered_flag);
    if (may_return(*parcel) && !target.is_present() && parcel->extras->life <= target.incarnation) {
      return return_foreign(target, parcel);
    }
    if (!target.is_held()) {
      parcel->extras->absent_until = now() + node_.options().absent_time_to_live;
    }
    watch_expiry(target, *parcel);
  }
  if (hand_to_reader(target, parcel)) return;
  if (is_copy(*parcel)) {
    for (EarState& ear : target.ext().ears) {
      if (ear.id == parcel->extras->ear) ++ear.queued;
    }
  } else {
    count_in(target, *parcel);
  }
  store_first(target, parcel);
}

// An exception destroys it; others that were taken with it may follow in any order, so that all of
// them are queued again together, in the order in which they were handed out.
void Worker::return_later(Parcel* parcel) noexcept {
  set_flag(*parcel, returned_flag);
  parcel->target->set_mode(returns);
}

void Worker::requeue_returned(Party& target) noexcept {
  target.clear_mode(returns);
  std::vector<Parcel*> returned;
  for (Parcel* parcel = target.in_hand; parcel != nullptr; parcel = parcel->next) {
    if ((parcel->flags & returned_flag) != 0) returned.push_back(parcel);
  }
  // The newest first, so that the oldest is before all others in the end.
  for (Parcel* const parcel : returned) give_back(parcel);
}

void Worker::end_parcel(Parcel* parcel, Outcome outcome, DropReason reason) noexcept {
  Party& target = *parcel->target;
  const bool here = target.home.load(std::memory_order_relaxed) == this;
  Counters& counters = here ? target.ext().counters : flow.counters;
  if (is_counted(*parcel)) {
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
    if (parcel->extras != nullptr) {
      report(*parcel, outcome);
      observe(happening_of(outcome), *parcel, static_cast<std::uint64_t>(reason));
    }
    if ((parcel->flags & foreign_flag) != 0) mark(*parcel, outcome, reason);
    tell_sender(*this, *parcel, outcome, reason);
    node_.finished(*parcel);
    if (outcome == Outcome::expired) bury(*parcel, "expired");
  } else if (is_copy(*parcel) && (parcel->flags & gap_flag) == 0) {
    ++counters.copies_consumed;
  }
  if ((parcel->flags & (request_flag | foreign_flag)) == request_flag && is_counted(*parcel)) {
    answer_for(*parcel, outcome);
  }
  free_parcel(parcel);
}

void Worker::bury(const Parcel& parcel, const char* reason) noexcept {
  if (is_counted(parcel)) node_.bury(*this, parcel, reason);
}

void Expiry::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Expiry&>(timer);
  self.worker.expire(self.party);
}

void Worker::watch_expiry(Party& target, const Parcel& parcel) {
  const Extras& extras = *parcel.extras;
  Time when = extras.deadline;
  if (!is_there_for(target, parcel)) when = std::min(when, extras.absent_until);
  if (when == Time::max()) return;
  auto& timer = target.ext().expiry;
  if (timer == nullptr || timer->owner != this) timer = std::make_unique<Expiry>(*this, target);
  if (timer->place == TimerNode::idle || when < timer->when) timer->arm(*this, when);
}

void Worker::expire(Party& target) noexcept {
  if (!target.has_waiting()) return;
  const Time present = now();
  const auto end_of = [&target](const MessageView& message) {
    const Parcel& parcel = *message.parcel();
    const Extras* const extras = parcel.extras;
    if (extras == nullptr) return Time::max();
    return is_there_for(target, parcel) ? extras->deadline
                                        : std::min(extras->deadline, extras->absent_until);
  };
  const Match late = that([&](const MessageView& message) { return end_of(message) <= present; });
  while (Parcel* const parcel = target.take(late)) {
    left_mailbox(target, *parcel);
    end_parcel(parcel, Outcome::expired);
  }
  target.each_waiting([&](const Parcel& parcel) {
    if (parcel.extras != nullptr) watch_expiry(target, parcel);
  });
}

}  // namespace coracle::detail

namespace coracle {

namespace {

// Runs `end` for a message that its holder no longer wants, on the worker that may do so.
template <class End>
void on_its_worker(detail::Parcel* parcel, End end) noexcept {
  detail::Worker* const home = parcel->target->home.load(std::memory_order_acquire);
  if (home == detail::Worker::current()) return end(*home, parcel);
  if (home->node().over()) return detail::free_parcel(parcel);  // its account is closed
  home->post(detail::command([parcel, end](detail::Worker&) { on_its_worker(parcel, end); }));
}

}  // namespace

void Message::settle() noexcept {
  using detail::Worker;
  Worker* const worker = Worker::current();
  if (worker != nullptr && parcel_->target->home.load(std::memory_order_relaxed) == worker &&
      !worker->unwinding_ends_agent && !worker->unwinding()) [[likely]] {
    if (worker->consume_plain(parcel_)) [[likely]]
      return;
    return worker->consume(parcel_);
  }
  if (std::uncaught_exceptions() > 0) {
    return on_its_worker(parcel_, [](Worker& home, detail::Parcel* parcel) {
      if ((parcel->flags & detail::revoked_flag) != 0) return home.give_back(parcel);
      home.return_later(parcel);
    });
  }
  if (worker != nullptr && worker->unwinding_ends_agent) {
    return on_its_worker(parcel_, [](Worker& home, detail::Parcel* p) { home.give_back(p); });
  }
  on_its_worker(parcel_, [](Worker& home, detail::Parcel* p) { home.consume(p); });
}

void Message::keep() noexcept {
  if (parcel_ == nullptr || !is_request()) return;
  const detail::Worker* const home = parcel_->target->home.load(std::memory_order_acquire);
  if (home != detail::Worker::current()) return acknowledge();
  detail::set_flag(*parcel_, detail::answered_flag);
}

void Message::acknowledge() noexcept {
  if (parcel_ == nullptr) return;
  // The content stays readable: only the account is closed.
  detail::Parcel* const kept = detail::clone_parcel(*parcel_);
  detail::set_flag(*kept, detail::revoked_flag);
  on_its_worker(std::exchange(parcel_, kept), [](detail::Worker& home, detail::Parcel* p) {
    detail::set_flag(*p, detail::answered_flag);
    home.consume(p);
  });
}

Content Message::consume() noexcept {
  if (parcel_ == nullptr) return {};
  detail::Worker* const home = parcel_->target->home.load(std::memory_order_acquire);
  // Only its home may take the content away: elsewhere, in a Port, home may just be copying it.
  if (home != detail::Worker::current()) {
    Content shared = content();
    on_its_worker(std::exchange(parcel_, nullptr),
                  [](detail::Worker& at, detail::Parcel* p) { at.consume(p); });
    return shared;
  }
  detail::Parcel* const parcel = std::exchange(parcel_, nullptr);
  Content content = Content::adopt(std::exchange(parcel->content, nullptr));
  if (!home->consume_plain(parcel)) home->consume(parcel);
  return content;
}

void Message::give_back() noexcept {
  if (parcel_ == nullptr) return;
  on_its_worker(std::exchange(parcel_, nullptr),
                [](detail::Worker& home, detail::Parcel* p) { home.give_back(p); });
}

void Envelope::abandon() noexcept {
  on_its_worker(std::exchange(parcel_, nullptr), [](detail::Worker& home, detail::Parcel* p) {
    home.bury(*p, "abandoned by its carrier");
    home.end_parcel(p, Outcome::undeliverable);
  });
}

}  // namespace coracle
