// The slow half of a send: it waits for room, and tries again.
#pragma once

#include "runtime/node/node_core.hpp"

#include <memory>
#include <string>

namespace coracle::detail {

// Exists from the moment a mailbox or a route was full until the message is accepted or given up.
struct Dispatch final : CreditWaiter, TimerNode, Link {
  // `owner` is notified when the wait is over; then its record_ is null and its error_ holds the
  // result.
  Dispatch(Worker& where, Sending& whose) noexcept
      : TimerNode(&on_time), worker(where), owner(whose) {}
  ~Dispatch();

  void begin(Deadline patience) noexcept;
  void on_credit(bool granted) noexcept override;
  // Ends the send with an error.
  void give_up(Errc error) noexcept;
  const Mailbox* sender() const noexcept { return Access::mailbox(owner.agent_); }
  const Mailbox* target() const noexcept { return owner.target_; }
  bool is_request() const noexcept { return owner.asks_; }
  WaitTimes times() const noexcept { return {begun, place == idle ? Time::max() : when}; }

 private:
  static void on_time(TimerNode& node) noexcept;
  void await_credit() noexcept;
  void finish() noexcept;

  Worker& worker;
  Sending& owner;
  bool waiting = false;
  Time begun{};
};

// Notes an error that the agent gets, for inspections; returns it.
Error noted(const Agent& agent, Error error) noexcept;

// The members that few sends need.
struct SendDetails {
  Deadline patience;
  Waiting waiting;  // of a plain send; a request has its own
  std::unique_ptr<Dispatch> dispatch;
  std::string text;  // details of the error
};

}  // namespace coracle::detail
