// Messages that an agent sends later, or again and again, unless it cancels them before.
// Tests: tests/conformance/promises/promise_09_timed.cpp
#pragma once

#include "coracle/agent.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace coracle {

namespace detail {
struct TimedState;
}

// A message, or a series of messages, that its agent is going to send. The destructor cancels all
// that has not been sent. When the agent or its node ends first, nothing more is sent either.
class [[nodiscard]] TimedSend {
 public:
  // No message.
  TimedSend() noexcept = default;
  explicit TimedSend(std::shared_ptr<detail::TimedState> state) noexcept
      : state_(std::move(state)) {}
  TimedSend(TimedSend&&) noexcept = default;
  // Cancels the messages for which this object stood.
  TimedSend& operator=(TimedSend&& other) noexcept;
  ~TimedSend() { cancel(); }

  // Cancels: no message is sent from now on. Returns false when there was nothing left to cancel. A
  // message that is due already and waits for room in a full mailbox is under way, and is still
  // sent.
  bool cancel() noexcept;
  // Lets the sending go on without this object, until it is done or its agent ends.
  void detach() noexcept { state_.reset(); }
  // Returns whether a message is still to be sent.
  bool is_pending() const noexcept;
  // The number of messages that were accepted, and of messages that were refused: by the policy, a
  // limit, or a mailbox that stayed full.
  std::uint64_t sent() const noexcept;
  std::uint64_t refused() const noexcept;
  // The number of messages that were left out because the previous one was not read yet, or because
  // they were due while the agent's worker was held up.
  std::uint64_t skipped() const noexcept;
  // The failure of the last message that was refused, as send() would have thrown it.
  std::optional<Error> failure() const;

 private:
  std::shared_ptr<detail::TimedState> state_;
};

// Sends the post at that time: a span from now, or a point on the agent's clock. It then does what
// send() does, in a task of its own: it may wait for room, and a target that nobody holds receives
// the message when it registers. The agent itself calls it.
TimedSend send_later(Agent& self, Post post, Deadline when);

// Sends the same content again and again: first after one period, then at that pace, which does not
// drift.
// At most one of these messages waits to be read: while it waits, the next ones are left out, so
// that a slow target is not flooded and an absent one finds one message when it registers. Fails
// with Errc::bad_options when the period is not positive.
TimedSend send_every(Agent& self, Target to, Content content, Duration period);

}  // namespace coracle
