// Sending: the fast half here and in delivery.cpp, the waiting half in dispatch.cpp.
#include "coracle/support/error_texts.hpp"
#include "dispatch.hpp"
#include "fast_path.hpp"
#include "runtime/elsewhere/outbound.hpp"
#include "runtime/room/room_ticket.hpp"
#include "runtime/store/storing.hpp"

#include <algorithm>

namespace coracle::detail {

Worker& here(const Agent& agent) {
  Worker* const worker = Worker::current();
  if (worker == nullptr || Access::mailbox(agent) == nullptr ||
      Access::mailbox(agent)->home.load(std::memory_order_relaxed) != worker) {
    throw Error(Errc::wrong_thread,
                "an agent's operation was called outside the agent; call it from run() or a task "
                "that it spawned, or use a Port");
  }
  return *worker;
}

void Sending::drop() noexcept {
  delete std::exchange(more_, nullptr);
  if (record_ == nullptr) return;
  if (Access::mailbox(agent_) != nullptr &&
      Access::mailbox(agent_)->home.load() == Worker::current())
    owes_again(*record_);
  free_record(std::exchange(record_, nullptr));
}

Content Sending::give_up() noexcept {
  Content content = Content::adopt(std::exchange(record_->content, nullptr));
  drop();
  return content;
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
  if (send_away_plain(*worker, agent_, *record_)) {
    record_ = nullptr;
    ready_ = !worker->scheduler.spent();
    return;
  }
  const Sent sent = worker->outgoing.try_send(agent_, record_, error_);
  if (sent == Sent::wait) return;
  if (sent == Sent::failed) worker->outgoing.refuse(agent_, record_);
  ready_ = !worker->scheduler.spent();  // an agent that fails again and again lets others run, too
}

void Sending::await_suspend(std::coroutine_handle<> awaiting) {
  Worker& worker = *Worker::current();
  Waiting& waiting = more().waiting;
  worker.rests(*Access::mailbox(agent_));
  waiting.frame = awaiting;
  if (record_ == nullptr)
    return worker.scheduler.schedule(waiting);  // only lets others have their turn
  worker.scheduler.wait(waiting);
  begin_dispatch(worker);
}

void Sending::begin_dispatch(Worker& worker) {
  SendDetails& details = more();
  details.dispatch = std::make_unique<Dispatch>(worker, *this);
  details.dispatch->begin(details.patience);
}

void Sending::on_dispatched() noexcept {
  if (asks_) return static_cast<Asking*>(this)->on_dispatched();
  Worker::current()->scheduler.schedule(more_->waiting);
}

void Sending::call_off() noexcept {
  if (record_ != nullptr && more_ != nullptr && more_->dispatch)
    more_->dispatch->give_up(Errc::cancelled);
}

void Sending::end_wait() noexcept {
  more_->dispatch->give_up(Errc::stopped);
  more_->waiting.unlink();  // it continues already
}

Error noted(const Agent& agent, Error error) noexcept {
  if (Worker* const worker = Worker::current())
    worker->failures.note(*Access::mailbox(agent), worker->now(), error.sentence());
  return error;
}

Error Sending::error() const {
  return noted(agent_, make_error(error_, "send to", target_->name, text()));
}

}  // namespace coracle::detail
