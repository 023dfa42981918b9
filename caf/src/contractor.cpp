#include "coracle/caf/contractor.hpp"

#include <algorithm>
#include <optional>

namespace coracle::caf {

namespace {

// How long a full mailbox may hold up everybody else.
constexpr Duration contractor_patience = std::chrono::milliseconds(100);
// How many messages are read before deadlines are looked at.
constexpr int contractor_burst = 64;

// To itself: look again what is due.
struct Nudge {
  static constexpr std::string_view content_type = "coracle/caf/nudge/v1";

  bool again = true;
};

}  // namespace

Task<> Contractor::act() { co_return; }

Task<> Contractor::on_other(const Message& message) {
  if (message.is_request()) {
    co_await refuse(message, "this agent deals with contracts, and not with such requests");
  }
}

void Contractor::on_objection(const Objection&) {}

void Contractor::retire() {
  retired_ = true;
  hurry();
}

Time Contractor::due() const noexcept {
  Time next = Time::max();
  for (const Part* each : parts_) next = std::min(next, each->due());
  return next;
}

// An alarm for what is due next, unless one rings before that and looks again.
void Contractor::hurry() {
  const Time next = retired_ ? Time::min() : due();
  if (next == Time::max() || (!alarms_.empty() && alarms_.back() <= next)) return;
  alarms_.push_back(next);
  spawn(ring(next));
}

Task<> Contractor::ring(Time when) {
  try {
    if (when > now()) co_await pause(Deadline(when));
    alarms_.pop_back();
    is_due_ = true;
    if (!waits_) co_return;
    Content nudge = Content::of(Nudge{});
    // If there is no room for it, there are messages enough to wake the agent.
    (void)co_await send_result(name(), std::move(nudge));
  } catch (const Error& error) {
    // The loop reads what is left, and is told by itself.
    if (error.errc() != Errc::stopped) throw;
  }
}

Task<> Contractor::run() {
  spawn(act());
  while (!retired_) {
    // Where there are many messages, the time is looked at now and then, too.
    if (is_due_ || unhurried_ >= contractor_burst) {
      unhurried_ = 0;
      is_due_ = false;
      co_await on_time();
      hurry();
      continue;
    }
    waits_ = true;
    const Message message = co_await receive();
    waits_ = false;
    ++unhurried_;
    Task<> rest = handle(message);
    if (rest) co_await std::move(rest);
    hurry();
  }
}

Task<> Contractor::on_time() {
  const Time present = now();
  for (Part* each : parts_) {
    if (each->due() <= present) co_await each->on_time();
  }
}

Task<> Contractor::handle(const Message& message) {
  const Content content = message.content();
  Task<> rest;
  for (Part* each : parts_) {
    if (each->take(message, content, rest)) return rest;
  }
  if (const Objection* objection = content.try_as<Objection>()) on_objection(*objection);
  else if (content.try_as<Nudge>() == nullptr) return on_other(message);
  return rest;
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
