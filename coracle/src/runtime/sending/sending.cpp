// Sending: the fast half here and in delivery.cpp, the waiting half in dispatch.cpp.
#include "coracle/support/error_texts.hpp"
#include "dispatch.hpp"
#include "fast_path.hpp"
#include "runtime/mailbox/room.hpp"
#include "runtime/store/storing.hpp"

#include <algorithm>

namespace coracle::detail {

Worker& here(const Agent& agent) {
  Worker* const worker = Worker::current();
  if (worker == nullptr || agent.mailbox() == nullptr ||
      agent.mailbox()->home.load(std::memory_order_relaxed) != worker) {
    throw Error(Errc::wrong_thread,
                "an agent's operation was called outside the agent; call it from run() or a task "
                "that it spawned, or use a Port");
  }
  return *worker;
}

Mailbox* Worker::resolve(std::string_view name) {
  Mailbox*& cached = name_cache_[hash_of(name) & (cache_size - 1)];
  if (cached == nullptr || cached->name.view() != name) cached = node_.mailbox(name, *this);
  return cached;
}

// Returns the reason for which a message may not be sent at all.
Errc Worker::refusal_of(const Agent& sender, const MessageRecord& record) const noexcept {
  const Mailbox& source = *sender.mailbox();
  if (source.agent != &sender) return Errc::fenced;
  if (record.content != nullptr && record.content->size > content_limit_) return Errc::too_large;
  if (has_policy_ && !node_.authorize(Action::send, source.name, record.target->name)) {
    return Errc::not_permitted;
  }
  return Errc{};
}

// Replaces a value by its encoded bytes; returns false when it cannot be encoded.
bool Worker::encode(MessageRecord& record) noexcept try {
  if (record.content == nullptr || !record.content->is_typed()) return true;
  const Content value = Content::adopt(std::exchange(record.content, nullptr));
  record.content = value.encoded().release();
  return true;
} catch (...) {
  return false;
}

Sent Worker::try_send(Agent& sender, MessageRecord*& record, Errc& error) {
  error = refusal_of(sender, *record);
  if (error != Errc{}) return Sent::failed;
  if (node_.stores()) [[unlikely]]
    send_to_store(*this, *record);
  const bool leaves = (record->target->mode_now() & elsewhere) != 0;
  if ((encodes_ || leaves) && !encode(*record)) {
    error = Errc::bad_encoding;
    return Sent::failed;
  }
  Mailbox& source = *sender.mailbox();
  record->set_sequence(source.sent + 1);
  if (is_observed()) return try_send_observed(source, record, error);
  if (anybody_hears()) return try_send_overheard(source, record, error);
  return carry(source, record, error);
}

Sent Worker::carry(Mailbox& source, MessageRecord*& record, Errc& error) {
  Mailbox& target = *record->target;
  const bool is_there = target.is_held();
  Envelope envelope(std::exchange(record, nullptr));
  const Verdict verdict = transport_.try_carry(envelope);
  if (verdict == Verdict::carried) [[likely]] {
    ++source.sent;
    return Sent::accepted;
  }
  record = envelope.release();
  if (verdict == Verdict::no_credit) return Sent::wait;
  error = is_there ? Errc::mailbox_full : Errc::absent_full;
  return Sent::failed;
}

// The taps are determined before the message is carried: afterwards the record may be gone.
Sent Worker::try_send_overheard(Mailbox& source, MessageRecord*& record, Errc& error) {
  if (is_earlier(*record)) return carry(source, record, error);  // overheard when it was sent
  const std::vector<std::uint64_t>& hearing = who_hears(source, *record);
  if (hearing.empty()) return carry(source, record, error);
  std::vector<std::uint64_t> taps = hearing;
  const OverheardBy heard = record->fields != nullptr ? record->fields->heard : nullptr;
  if (heard) {
    std::erase_if(taps, [&](std::uint64_t tap) {
      return std::find(heard->begin(), heard->end(), tap) != heard->end();
    });
    if (taps.empty()) return carry(source, record, error);
  }
  MessageRecord* const original = clone_record(*record);
  const Sent sent = carry(source, record, error);
  if (sent == Sent::accepted) {
    send_copies(*original, taps);
    if (heard) heard->insert(heard->end(), taps.begin(), taps.end());
  }
  free_record(original);
  return sent;
}

void Worker::refuse(Agent& sender, MessageRecord*& record) noexcept {
  MessageRecord* const refused = std::exchange(record, nullptr);
  Mailbox& source = *sender.mailbox();
  if ((refused->flags & claimed_flag) != 0) unclaim_place(*refused->target);
  ++source.sent;
  ++source.ext().counters.refused;
  owes_again(*refused);
  meet(*refused);
  if (refused->fields != nullptr) {
    report(*refused, Outcome::refused);
    observe(Happening::refused, *refused);
  }
  free_record(refused);
}

void Sending::drop() noexcept {
  delete std::exchange(more_, nullptr);
  if (record_ == nullptr) return;
  if (agent_.mailbox() != nullptr && agent_.mailbox()->home.load() == Worker::current())
    owes_again(*record_);
  free_record(std::exchange(record_, nullptr));
}

SendDetails& Sending::more() {
  if (more_ == nullptr) more_ = new SendDetails;
  return *more_;
}

std::string Sending::text() const { return more_ == nullptr ? std::string() : more_->text; }

Sending& Sending::patience(Deadline deadline) {
  more().patience = deadline;
  return *this;
}

void Sending::try_at_length() noexcept {
  Worker* const worker = Worker::current();
  if (worker == nullptr) {
    error_ = Errc::wrong_thread;
    ready_ = true;
    return;
  }
  if (worker->send_away_plain(agent_, *record_)) {
    record_ = nullptr;
    ready_ = !worker->spent();
    return;
  }
  const Sent sent = worker->try_send(agent_, record_, error_);
  if (sent == Sent::wait) return;
  if (sent == Sent::failed) worker->refuse(agent_, record_);
  ready_ = !worker->spent();  // an agent that fails again and again lets others run, too
}

void Sending::await_suspend(std::coroutine_handle<> awaiting) {
  Worker& worker = *Worker::current();
  Waiting& waiting = more().waiting;
  worker.rests(*agent_.mailbox());
  waiting.frame = awaiting;
  if (record_ == nullptr) return worker.schedule(waiting);  // only lets others have their turn
  worker.wait(waiting);
  begin_dispatch(worker);
}

void Sending::begin_dispatch(Worker& worker) {
  SendDetails& details = more();
  details.dispatch = std::make_unique<Dispatch>(worker, *this);
  details.dispatch->begin(details.patience);
}

void Sending::on_dispatched() noexcept {
  if (asks_) return static_cast<Asking*>(this)->on_dispatched();
  Worker::current()->schedule(more_->waiting);
}

void Sending::call_off() noexcept {
  if (record_ != nullptr && more_ != nullptr && more_->dispatch)
    more_->dispatch->give_up(Errc::cancelled);
}

void Sending::end_wait() noexcept {
  more_->dispatch->give_up(Errc::stopped);
  more_->waiting.unlink();  // it continues already
}

Error Sending::error() const { return make_error(error_, "send to", target_->name, text()); }

}  // namespace coracle::detail
