// Reading: takes what waits, or waits for it.
#include "runtime/node_core.hpp"

namespace coracle::detail {

namespace {

bool holds_its_name(const Agent& agent) noexcept { return agent.party()->agent == &agent; }

const Match& any_message() noexcept {
  static const Match any;
  return any;
}

}  // namespace

ReceivingAny::~ReceivingAny() {
  if (parcel != nullptr) Message(std::exchange(parcel, nullptr));
}

bool ReceivingAny::await_ready() noexcept {
  Worker* const worker = Worker::current();
  if (worker == nullptr) return error = Errc::wrong_thread, true;
  if (!holds_its_name(*agent)) return error = Errc::fenced, !worker->spent();
  Party& party = *agent->party();
  if (party.queue || (party.mode_now() & returns) != 0) {
    parcel = worker->take(party, match == nullptr ? any_message() : *match);
    if (parcel != nullptr) return !worker->spent();
  }
  if (worker->node().ended()) return error = Errc::stopped, !worker->spent();
  return false;
}

void ReceivingAny::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  frame = awaiting;
  Worker& worker = *Worker::current();
  if (parcel != nullptr || error != Errc{}) return worker.schedule(*this);  // others run first
  Party& party = *agent->party();
  party.readers.push_back(*this);
  if (party.extension && !party.extension->tickets.empty()) {
    worker.offer_ticket_to(party, match == nullptr ? &any_message() : match);
  }
}

void ReceivingAny::fail(Errc why) {
  switch (why) {
    case Errc::fenced:
      throw Error(why, "cannot receive: another agent has taken over this agent's name; end");
    case Errc::wrong_thread:
      throw Error(why, "cannot receive: called outside the agent; use a Port from other threads");
    default:
      throw Error(Errc::stopped,
                  "cannot receive: the node is stopping and nothing is left to read; end");
  }
}

void ReceivingUntil::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  ReceivingAny::await_suspend(awaiting);
  if (parcel != nullptr || error != Errc{} || !deadline_.is_set()) return;
  has_deadline = true;
  Worker& worker = *Worker::current();
  arm(worker, deadline_.at(worker.now()));
}

std::optional<Message> ReceivingUntil::await_resume() {
  if (parcel != nullptr) return Message(std::exchange(parcel, nullptr));
  if (error != Errc{}) fail(error);
  return std::nullopt;
}

void ReceivingUntil::on_deadline(TimerNode& timer) noexcept {
  auto& self = static_cast<ReceivingUntil&>(timer);
  if (self.parcel == nullptr) timer.owner->schedule(self);
}

void Pausing::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  frame = awaiting;
  Worker& worker = *Worker::current();
  if (!until_.is_set() || worker.node().ended()) {
    done_ = !until_.is_set();
    return worker.schedule(*this);
  }
  worker.wait(*this);
  arm(worker, until_.at(worker.now()));
}

void Pausing::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Pausing&>(timer);
  self.done_ = self.owner->now() >= self.when;
  self.owner->schedule(self);
}

void Pausing::await_resume() const {
  if (done_) return;
  throw Error(Errc::stopped, "the pause ended early: the node is stopping; end");
}

}  // namespace coracle::detail
