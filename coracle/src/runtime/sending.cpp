// Sending: the fast half here and in delivery.cpp, the waiting half in dispatch.cpp.
#include "runtime/dispatch.hpp"
#include "runtime/errors_said.hpp"
#include "runtime/node_core.hpp"

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

Sent Worker::try_send(Agent& sender, Parcel*& parcel, Errc& error) {
  Party& source = *sender.party();
  if (source.agent != &sender) return error = Errc::fenced, Sent::failed;
  const std::size_t size = parcel->content == nullptr ? 0 : parcel->content->size;
  if (size > node_.options().content_limit) return error = Errc::too_large, Sent::failed;
  if (node_.options().policy && !node_.authorize(Action::send, source.name, parcel->target->name)) {
    return error = Errc::not_permitted, Sent::failed;
  }
  parcel->sequence = (source.sent + 1) & ((std::uint64_t{1} << 48) - 1);
  std::vector<std::uint64_t> ears;
  Parcel* original = nullptr;
  if (anybody_hears()) {
    ears = who_hears(source, *parcel);
    if (!ears.empty()) original = clone_parcel(*parcel);
  }
  const bool present_target = parcel->target->is_present();
  Envelope envelope(std::exchange(parcel, nullptr));
  const Verdict verdict = node_.transport().try_carry(envelope);
  if (verdict == Verdict::carried) {
    ++source.sent;
    if (original != nullptr) {
      send_copies(*original, ears);
      free_parcel(original);
    }
    return Sent::accepted;
  }
  if (original != nullptr) free_parcel(original);
  parcel = envelope.release();
  if (verdict == Verdict::no_credit) return Sent::wait;
  error = present_target ? Errc::mailbox_full : Errc::absent_full;
  return Sent::failed;
}

void Worker::refuse(Agent& sender, Parcel*& parcel) noexcept {
  Parcel* const refused = std::exchange(parcel, nullptr);
  Party& source = *sender.party();
  if ((refused->flags & claimed_flag) != 0) {
    Party* const target = refused->target;
    target->claimed.fetch_sub(1);
    target->home.load()->post(command([target](Worker& home) {
      if (target->home.load() == &home) home.grant_room(*target);
    }));
  }
  ++source.sent;
  ++source.ext().counters.refused;
  if (refused->extras != nullptr) report(*refused, Outcome::refused);
  free_parcel(refused);
}

void Sending::drop() noexcept {
  delete std::exchange(more_, nullptr);
  if (parcel_ != nullptr) free_parcel(std::exchange(parcel_, nullptr));
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

bool Sending::await_ready() noexcept {
  Worker* const worker = Worker::current();
  if (worker == nullptr) return error_ = Errc::wrong_thread, true;
  switch (worker->try_send(agent_, parcel_, error_)) {
    case Sent::accepted:
      return !worker->spent();
    case Sent::wait:
      return false;
    case Sent::failed:
      break;
  }
  worker->refuse(agent_, parcel_);
  return true;
}

void Sending::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  Worker& worker = *Worker::current();
  frame = awaiting;
  if (parcel_ == nullptr) return worker.schedule(*this);  // accepted; only others get their turn
  worker.wait(*this);
  begin_dispatch(worker);
}

void Sending::begin_dispatch(Worker& worker) noexcept {
  SendDetails& details = more();
  details.dispatch = std::make_unique<Dispatch>(worker, *this);
  details.dispatch->begin(details.patience);
}

void Sending::on_dispatched() noexcept { Worker::current()->schedule(*this); }

void Sending::end_wait() noexcept {
  more_->dispatch->give_up(Errc::stopped);
  unlink();  // it goes on already
}

Error Sending::error() const {
  return said(error_, "send to", target_->name, text());
}

}  // namespace coracle::detail
