// Messages that an agent sends later, or again and again, unless it calls them off before.
// Contract: tests/contract/promise_09_timed.cpp
#pragma once

#include "coracle/agent.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace coracle {

namespace detail {
struct TimedState;
}

// What is to be sent, in the hands of the agent that sends it. Its destructor calls off what has
// not been sent. When the agent or its node ends first, nothing more is sent either.
class [[nodiscard]] TimedSend {
 public:
  // Nothing.
  TimedSend() noexcept = default;
  explicit TimedSend(std::shared_ptr<detail::TimedState> state) noexcept
      : state_(std::move(state)) {}
  TimedSend(TimedSend&&) noexcept = default;
  // Calls off what this stood for.
  TimedSend& operator=(TimedSend&& other) noexcept;
  ~TimedSend() { cancel(); }

  // Calls it off: no message is sent from now on. False when there was nothing left to call off. A
  // message that is due already and waits for room in a full mailbox is under way, and goes on.
  bool cancel() noexcept;
  // It goes on without this object, until it is done or its agent ends.
  void detach() noexcept { state_.reset(); }
  // Whether a message is still to be sent.
  bool is_pending() const noexcept;
  // How many messages were accepted, and how many were refused: by the policy, a limit, or a
  // mailbox that stayed full.
  std::uint64_t sent() const noexcept;
  std::uint64_t refused() const noexcept;
  // How many were left out because the one before was not read yet, or because they were due while
  // the agent's worker was held up.
  std::uint64_t skipped() const noexcept;
  // The failure of the last message that was refused, as send() would have thrown it.
  std::optional<Error> failure() const;

 private:
  std::shared_ptr<detail::TimedState> state_;
};

// Sends what the post says at that time: a span from now, or a point on the agent's clock. It does
// what send() does then, in a task of its own: it may wait for room, and a target that nobody holds
// gets the message when it comes. Called by the agent itself.
TimedSend send_later(Agent& self, Post post, Deadline when);

// Sends the same again and again: first after one period, then at that pace, which does not drift.
// At most one of these messages waits to be read: while it does, the next ones are left out, so
// that a slow target is not flooded and an absent one finds one message when it comes. Fails with
// Errc::bad_options when the period is not positive.
TimedSend send_every(Agent& self, Target to, Content content, Duration period);

}  // namespace coracle
