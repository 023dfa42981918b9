#include "coracle/caf/contractor.hpp"

#include <algorithm>
#include <optional>

namespace coracle::caf {

namespace {

// How long a full mailbox may hold up everybody else.
constexpr Duration patience = std::chrono::milliseconds(100);
// How many messages are read before deadlines are looked at.
constexpr int burst = 64;

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

void Contractor::hurry() {
  if (!retired_ && due() >= waits_until_) return;
  if (waits_until_ == Time::min()) return;
  waits_until_ = Time::min();
  spawn(wake());
}

Task<> Contractor::wake() {
  const Content nudge = Content::of(Nudge{});
  co_await send(self(), nudge);
}

Task<> Contractor::run() {
  spawn(act());
  while (!retired_) {
    for (int i = 0; i < burst && !retired_; ++i) {
      const std::optional<Message> message = try_receive();
      if (!message) break;
      ++unhurried_;
      Task<> rest = handle(*message);
      if (rest) co_await std::move(rest);
    }
    if (retired_) break;
    const Time next = due();
    const Deadline deadline = next == Time::max() ? Deadline::never() : Deadline(next);
    waits_until_ = next;
    const std::optional<Message> message = co_await receive(deadline);
    waits_until_ = Time::min();
    if (message) {
      Task<> rest = handle(*message);
      if (rest) co_await std::move(rest);
    }
    // Where messages come one by one, the time is looked at now and then, too.
    if (message && ++unhurried_ < burst && due() != Time::min()) continue;
    unhurried_ = 0;
    co_await on_time();
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

Task<std::string> Contractor::tell(Address to, Content content) {
  try {
    auto sending = send(to, std::move(content));
    sending.patience(patience);
    co_await sending;
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    co_return error.sentence();
  }
  co_return std::string();
}

}  // namespace coracle::caf
