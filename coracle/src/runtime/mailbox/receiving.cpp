// Reading: takes a waiting message, or waits for one.
#include "coracle/support/error_texts.hpp"
#include "runtime/sending/fast_path.hpp"

namespace coracle::detail {

namespace {

bool holds_its_name(const Agent& agent) noexcept { return Access::mailbox(agent)->agent == &agent; }

const Match& any_message() noexcept {
  static const Match any;
  return any;
}

}  // namespace

bool ReceivingAny::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  frame = awaiting;
  Worker* const worker = Worker::current();
  if (worker == nullptr) return error = Errc::wrong_thread, false;
  if (!holds_its_name(*agent)) return wait_at_length(*worker);
  Mailbox& mailbox = *Access::mailbox(*agent);
  if (!selective) record = take_plain(*worker, mailbox);
  if (record != nullptr && !worker->scheduler.spent()) return false;
  constexpr std::uint32_t unusual = returns | crowded | watched;
  const bool is_empty = !mailbox.has_waiting() && (mailbox.mode_now() & unusual) == 0;
  if (record != nullptr || !is_empty || worker->ended()) return wait_at_length(*worker);
  mailbox.readers.push_back(*this);
  return true;
}

bool ReceivingAny::wait_at_length(Worker& worker) noexcept {
  Mailbox& mailbox = *Access::mailbox(*agent);
  if (!holds_its_name(*agent)) {
    error = Errc::fenced;
  } else if (record == nullptr) {
    const Match& wanted = selective ? *match() : any_message();
    if (mailbox.has_waiting() || (mailbox.mode_now() & returns) != 0) {
      record = worker.mailboxes.take(mailbox, wanted);
    }
    if (record == nullptr && !worker.ended()) {
      mailbox.readers.push_back(*this);
      worker.rests(mailbox);
      if ((mailbox.mode_now() & crowded) != 0) worker.room.offer_to(mailbox, wanted);
      return true;
    }
    if (record == nullptr) error = Errc::stopped;
    if (!worker.scheduler.spent()) return false;
  }
  worker.rests(mailbox);
  worker.scheduler.schedule(*this);  // others run first
  return true;
}

void ReceivingAny::call_off() noexcept {
  if (record != nullptr || error != Errc{}) return;
  error = Errc::stopped;
  Worker::current()->scheduler.schedule(*this);
}

void ReceivingAny::fail(Errc why) {
  switch (why) {
    case Errc::fenced:
      throw Error(why, "cannot receive: another agent has taken over this agent's name; end");
    case Errc::wrong_thread:
      throw Error(why, "cannot receive: called outside the agent; use a Port from other threads");
    default:
      std::rethrow_exception(reads_end());
  }
}

bool ReceivingUntil::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  if (!ReceivingAny::await_suspend(awaiting)) return false;
  if (record != nullptr || error != Errc{} || !deadline_.is_set()) return true;
  has_deadline = true;
  Worker& worker = *Worker::current();
  arm(worker, deadline_.at(worker.now()));
  return true;
}

std::optional<Message> ReceivingUntil::await_resume() {
  if (record != nullptr) return Message(std::exchange(record, nullptr));
  if (error != Errc{}) fail(error);
  return std::nullopt;
}

void ReceivingUntil::on_deadline(TimerNode& timer) noexcept {
  auto& self = static_cast<ReceivingUntil&>(timer);
  if (self.record != nullptr) return;
  timer.owner->observing.observe(Happening::alarm, *Access::mailbox(*self.agent));
  timer.owner->scheduler.schedule(self);
}

void Pausing::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  frame = awaiting;
  Worker& worker = *Worker::current();
  worker.rests(*Access::mailbox(agent_));
  if (yields_ || worker.ended()) {
    done_ = yields_;
    worker.scheduler.length().end();  // so that others, also on other workers, get what it has sent
    return worker.scheduler.schedule(*this);
  }
  worker.scheduler.pause(*this);
  if (until_.is_set()) arm(worker, until_.at(worker.now()));
}

void Pausing::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Pausing&>(timer);
  self.done_ = self.owner->now() >= self.when;
  self.owner->observing.observe(Happening::alarm, *Access::mailbox(self.agent_));
  self.owner->scheduler.schedule(self);
}

void Pausing::await_resume() const {
  if (done_) return;
  throw Error(Errc::stopped, "the pause ended early: the node is stopping; end");
}

}  // namespace coracle::detail
