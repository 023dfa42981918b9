// Sending: the fast half here and in delivery.cpp, the waiting half in dispatch.cpp.
#include "runtime/dispatch.hpp"
#include "runtime/entrusting.hpp"
#include "runtime/errors_said.hpp"
#include "runtime/fast_path.hpp"
#include "runtime/room.hpp"

#include <algorithm>

namespace coracle::detail {

Worker& here(const Agent& agent) {
  Worker* const worker = Worker::current();
  if (worker == nullptr || agent.party() == nullptr ||
      agent.party()->home.load(std::memory_order_relaxed) != worker) {
    throw Error(Errc::wrong_thread,
                "an agent's operation was called outside the agent; call it from run() or a task "
                "that it spawned, or use a Port");
  }
  return *worker;
}

Party* Worker::resolve(std::string_view name) {
  Party*& cached = name_cache_[hash_of(name) & (cache_size - 1)];
  if (cached == nullptr || cached->name.view() != name) cached = node_.party(name, *this);
  return cached;
}

// Why a message may not go out at all.
Errc Worker::refusal_of(const Agent& sender, const Parcel& parcel) const noexcept {
  const Party& source = *sender.party();
  if (source.agent != &sender) return Errc::fenced;
  if (parcel.content != nullptr && parcel.content->size > content_limit_) return Errc::too_large;
  if (has_policy_ && !node_.authorize(Action::send, source.name, parcel.target->name)) {
    return Errc::not_permitted;
  }
  return Errc{};
}

// Has a value travel as its bytes; false when it has none.
bool Worker::encode(Parcel& parcel) noexcept try {
  if (parcel.content == nullptr || !parcel.content->is_typed()) return true;
  const Content value = Content::adopt(std::exchange(parcel.content, nullptr));
  parcel.content = value.encoded().release();
  return true;
} catch (...) {
  return false;
}

Sent Worker::try_send(Agent& sender, Parcel*& parcel, Errc& error) {
  error = refusal_of(sender, *parcel);
  if (error != Errc{}) return Sent::failed;
  if (node_.entrusts()) [[unlikely]]
    entrust(*this, *parcel);
  const bool leaves = (parcel->target->mode_now() & elsewhere) != 0;
  if ((encodes_ || leaves) && !encode(*parcel)) {
    error = Errc::bad_encoding;
    return Sent::failed;
  }
  Party& source = *sender.party();
  parcel->set_sequence(source.sent + 1);
  if (is_observed()) return try_send_observed(source, parcel, error);
  if (anybody_hears()) return try_send_overheard(source, parcel, error);
  return carry(source, parcel, error);
}

Sent Worker::carry(Party& source, Parcel*& parcel, Errc& error) {
  Party& target = *parcel->target;
  const bool is_there = target.is_held();
  Envelope envelope(std::exchange(parcel, nullptr));
  const Verdict verdict = transport_.try_carry(envelope);
  if (verdict == Verdict::carried) [[likely]] {
    ++source.sent;
    return Sent::accepted;
  }
  parcel = envelope.release();
  if (verdict == Verdict::no_credit) return Sent::wait;
  error = is_there ? Errc::mailbox_full : Errc::absent_full;
  return Sent::failed;
}

// What is heard is settled before it is carried: afterwards the parcel may be gone.
Sent Worker::try_send_overheard(Party& source, Parcel*& parcel, Errc& error) {
  if (is_earlier(*parcel)) return carry(source, parcel, error);  // it was heard when it was sent
  const std::vector<std::uint64_t>& hearing = who_hears(source, *parcel);
  if (hearing.empty()) return carry(source, parcel, error);
  std::vector<std::uint64_t> ears = hearing;
  const HeardBy heard = parcel->extras != nullptr ? parcel->extras->heard : nullptr;
  if (heard) {
    std::erase_if(ears, [&](std::uint64_t ear) {
      return std::find(heard->begin(), heard->end(), ear) != heard->end();
    });
    if (ears.empty()) return carry(source, parcel, error);
  }
  Parcel* const original = clone_parcel(*parcel);
  const Sent sent = carry(source, parcel, error);
  if (sent == Sent::accepted) {
    send_copies(*original, ears);
    if (heard) heard->insert(heard->end(), ears.begin(), ears.end());
  }
  free_parcel(original);
  return sent;
}

void Worker::refuse(Agent& sender, Parcel*& parcel) noexcept {
  Parcel* const refused = std::exchange(parcel, nullptr);
  Party& source = *sender.party();
  if ((refused->flags & claimed_flag) != 0) unclaim_place(*refused->target);
  ++source.sent;
  ++source.ext().counters.refused;
  owes_again(*refused);
  meet(*refused);
  if (refused->extras != nullptr) {
    report(*refused, Outcome::refused);
    observe(Happening::refused, *refused);
  }
  free_parcel(refused);
}

void Sending::drop() noexcept {
  delete std::exchange(more_, nullptr);
  if (parcel_ == nullptr) return;
  if (agent_.party() != nullptr && agent_.party()->home.load() == Worker::current())
    owes_again(*parcel_);
  free_parcel(std::exchange(parcel_, nullptr));
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
  if (worker->send_away_plain(agent_, *parcel_)) {
    parcel_ = nullptr;
    ready_ = !worker->spent();
    return;
  }
  const Sent sent = worker->try_send(agent_, parcel_, error_);
  if (sent == Sent::wait) return;
  if (sent == Sent::failed) worker->refuse(agent_, parcel_);
  ready_ = !worker->spent();  // whoever tries in vain again and again lets others run, too
}

void Sending::await_suspend(std::coroutine_handle<> awaiting) {
  Worker& worker = *Worker::current();
  Waiting& waiting = more().waiting;
  worker.rests(*agent_.party());
  waiting.frame = awaiting;
  if (parcel_ == nullptr) return worker.schedule(waiting);  // only others get their turn
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
  if (parcel_ != nullptr && more_ != nullptr && more_->dispatch)
    more_->dispatch->give_up(Errc::cancelled);
}

void Sending::end_wait() noexcept {
  more_->dispatch->give_up(Errc::stopped);
  more_->waiting.unlink();  // it goes on already
}

Error Sending::error() const { return said(error_, "send to", target_->name, text()); }

}  // namespace coracle::detail
