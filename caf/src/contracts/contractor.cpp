#include "coracle/caf/contractor.hpp"

#include <algorithm>
#include <optional>

namespace coracle::caf {

namespace {

// The time for which a full mailbox may delay all others.
constexpr Duration contractor_patience = std::chrono::milliseconds(100);
// The number of messages that are read before deadlines are checked.
constexpr int contractor_burst = 64;

}  // namespace

Task<> Contractor::act() { co_return; }

Task<> Contractor::on_other(const Message& message) {
  if (message.is_request()) {
    co_await refuse(message, "this agent deals with contracts, and not with such requests");
  }
}

void Contractor::on_objection(const Objection&) {}

Time Contractor::due() const noexcept {
  Time next = Time::max();
  for (const Part* each : parts_) next = std::min(next, each->due());
  return next;
}

// Sets an alarm for what is due next, unless an earlier alarm rings and checks again.
void Contractor::hurry() {
  const Time next = due();
  if (next == Time::max() || (!alarms_.empty() && alarms_.back() <= next)) return;
  alarms_.push_back(next);
  spawn(ring(next));
}

Task<> Contractor::ring(Time when) {
  try {
    if (when > now()) co_await pause(Deadline(when));
    alarms_.pop_back();
    is_due_ = true;
    co_await wake();
  } catch (const Error& error) {
    // The loop reads the remaining messages, and gets this error by itself.
    if (error.errc() != Errc::stopped) throw;
  }
}

Task<> Contractor::run() {
  const auto kinds = [this](std::string_view type) { return kind_of(type); };
  const auto deal = [this](Message message) { return deal_with(std::move(message)); };
  spawn(act());
  while (!is_over()) {
    // Deadlines are also checked from time to time when there are many messages.
    if (is_due_ || unhurried_ >= contractor_burst) {
      unhurried_ = 0;
      is_due_ = false;
      co_await on_time();
      hurry();
      continue;
    }
    Message message;
    set_waits(true);
    if (is_free()) message = co_await receive();
    else message = co_await receive_meanwhile(kinds, deal);
    set_waits(false);
    ++unhurried_;
    if (!message) continue;
    Task<> rest = handle(message);
    if (rest) co_await std::move(rest);
    hurry();
  }
}

// Returns the most urgent kind of the message for any role.
Participant::Kind Contractor::kind_of(std::string_view type) const noexcept {
  Kind kind = type == Objection::content_type ? Kind::ordinary : Kind::foreign;
  for (const Part* each : parts_) kind = std::max(kind, each->kind_of(type));
  return kind;
}

Task<> Contractor::on_time() {
  const Time present = now();
  for (Part* each : parts_) {
    if (each->due() <= present) co_await each->on_time();
  }
}

Task<> Contractor::handle(Message& message) {
  const Content content = message.content();
  Task<> rest;
  for (Part* each : parts_) {
    if (each->take(message, content, rest)) return rest;
  }
  if (content.try_as<Objection>() != nullptr) {
    call_in_turn([this, content] { on_objection(content.as<Objection>()); });
  } else if (!is_wake(content)) {
    in_turn(deal_with(std::move(message)));
  }
  return rest;
}

Task<> Contractor::deal_with(Message message) {
  co_await on_other(message);
  hurry();
}

Contractor::Telling::Telling(Agent& agent, Address to, Content content)
    : sending_(agent.send(to, std::move(content))) {
  if (!sending_.await_ready()) sending_.patience(contractor_patience);
}

std::string Contractor::Telling::await_resume() {
  try {
    sending_.await_resume();
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    return error.sentence();
  }
  return {};
}

}  // namespace coracle::caf
