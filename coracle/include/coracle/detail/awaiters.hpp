// The return types of Agent's operations: each is awaited at once, by the agent that called the
// operation.
#pragma once

#include "coracle/detail/waiting.hpp"
#include "coracle/match.hpp"
#include "coracle/message.hpp"
#include "coracle/result.hpp"

#include <coroutine>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::detail {

struct Dispatch;
struct SendDetails;

class Asking;

// A message on its way out. The send is tried at once; if the target's mailbox or the route is
// full, SendDetails holds the state of the wait.
class [[nodiscard]] Sending {
 public:
  Sending(Agent& sender, MessageRecord* message) noexcept;
  // A send that is accepted already.
  Sending(Agent& sender, Mailbox& target, bool ready) noexcept
      : agent_(sender), record_(nullptr), target_(&target), ready_(ready) {}
  Sending(const Sending&) = delete;
  ~Sending() {
    if (record_ != nullptr || more_ != nullptr) drop();
  }

  // Sets the time that the send may wait for room.
  Sending& patience(Deadline deadline);
  bool await_ready() const noexcept { return ready_; }
  void await_suspend(std::coroutine_handle<> awaiting);
  void await_resume() {
    if (record_ != nullptr) end_wait();
    if (error_ != Errc{}) throw error();
  }
  // Returns whether the message was accepted or refused, and nothing is left to wait for.
  bool has_ended() const noexcept { return record_ == nullptr; }
  bool is_accepted() const noexcept { return record_ == nullptr && error_ == Errc{}; }
  // Ends a send that has not ended and that nothing waits for, as if it had not been tried; returns
  // its content.
  Content give_up() noexcept;
  // Ends the send with Errc::cancelled if it waits for room.
  void call_off() noexcept;
  // Ends the send, which waits in a circle of agents; `path` names the agents.
  void end_circle(const std::string& path) noexcept;
  // Never throws when awaited.
  class AsResult;

 protected:
  friend struct Dispatch;
  friend class WaitingCycles;
  // A send that is not tried yet: a request, which the derived class sends.
  struct Request {};
  Sending(Agent& sender, MessageRecord* message, Request) noexcept
      : agent_(sender), record_(message), target_(message->target), asks_(true) {}
  void try_at_length() noexcept;
  void drop() noexcept;
  void begin_dispatch(Worker& worker);
  SendDetails& more();
  std::string text() const;
  // The message has been accepted, or refused: the waiting coroutine resumes.
  void on_dispatched() noexcept;
  // Ends a wait that was woken before the message was accepted: the node stops.
  void end_wait() noexcept;
  Error error() const;

  Agent& agent_;
  MessageRecord* record_;
  Mailbox* target_;
  SendDetails* more_ = nullptr;
  Errc error_{};
  bool ready_ = false;       // there is nothing to wait for, and no other message goes first
  bool blocks_ = true;       // its agent waits for it
  const bool asks_ = false;  // this is an Asking
};

class [[nodiscard]] Sending::AsResult : public Sending {
 public:
  using Sending::Sending;
  Result<void> await_resume() noexcept {
    if (record_ != nullptr) end_wait();
    if (error_ != Errc{}) return error();
    return {};
  }
};

// A receive without a deadline, of any message.
class [[nodiscard]] ReceivingAny : public Reader {
 public:
  explicit ReceivingAny(Agent* whose, bool chooses = false) noexcept : Reader(whose, chooses) {}
  ~ReceivingAny() {
    if (record != nullptr) Message(std::exchange(record, nullptr));
  }

  bool await_ready() const noexcept { return false; }
  // Returns false when there is nothing to wait for.
  bool await_suspend(std::coroutine_handle<> awaiting) noexcept;
  Message await_resume() {
    if (record == nullptr) fail(error);
    return Message(std::exchange(record, nullptr));
  }
  // Ends the receive with Errc::stopped if it waits.
  void call_off() noexcept;
  [[noreturn]] static void fail(Errc error);

 private:
  bool wait_at_length(Worker& worker) noexcept;
};

// A receive without a deadline, of messages that fit.
class [[nodiscard]] Receiving : public ReceivingAny {
 public:
  Receiving(Agent* whose, Match what) noexcept
      : ReceivingAny(whose, true), wanted(std::move(what)) {}

  const Match wanted;
};

inline const Match* Reader::match() const noexcept {
  return selective ? &static_cast<const Receiving*>(this)->wanted : nullptr;
}

// A receive with a deadline, of messages that fit.
class [[nodiscard]] ReceivingUntil : public Receiving, private TimerNode {
 public:
  ReceivingUntil(Agent* whose, Match what, Deadline deadline) noexcept
      : Receiving(whose, std::move(what)), TimerNode(&on_deadline), deadline_(deadline) {}
  bool await_suspend(std::coroutine_handle<> awaiting) noexcept;
  std::optional<Message> await_resume();
  WaitTimes times() const noexcept { return times_of(deadline_); }

 private:
  static void on_deadline(TimerNode& timer) noexcept;

  Deadline deadline_;
};

// A request: sends a message, then waits for the one reply.
class [[nodiscard]] Asking : public Sending, public Waiting, private TimerNode {
 public:
  Asking(Agent& sender, MessageRecord* message, Deadline deadline) noexcept
      : Sending(sender, message, Request()), TimerNode(&on_deadline), deadline_(deadline) {}
  ~Asking();

  bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> awaiting) noexcept;
  Message await_resume();
  // Never throws when awaited.
  class AsResult;

  // Sends the deadline with the request, so that MessageView::deadline() shows it to the receiver.
  // Call it before the request is awaited. It costs as much as a header.
  void show_deadline() noexcept { shows_deadline_ = true; }
  // The request's conversation, while its reply is missing; zero before and after that.
  std::uint64_t conversation() const noexcept { return tag_; }
  // Ends the request with Errc::cancelled if there is no reply; a receiver that has not read the
  // request yet need not read it.
  void call_off() noexcept { end_early(Errc::cancelled); }
  // Ends the request with an error and its text.
  void finish(Errc error, std::string_view text) noexcept;
  Mailbox* asked() const noexcept { return target_; }
  const Mailbox* asker() const noexcept;
  // Returns whether only the reply is missing.
  bool accepted() const noexcept { return record_ == nullptr; }
  WaitTimes times() const noexcept { return times_of(deadline_); }

 protected:
  friend void answer(Worker& home, MessageRecord* reply) noexcept;
  friend class Sending;
  void on_dispatched() noexcept;
  void fail_unsent(Errc error) noexcept;
  void end_early(Errc error) noexcept;
  // Releases the record of the request: nothing more can come of it.
  void close() noexcept {
    if (tag_ != 0) close_open();
  }
  void close_open() noexcept;
  void close_at(Worker& worker) noexcept;
  void conclude() noexcept;
  Error error() const;
  static void on_deadline(TimerNode& timer) noexcept;

  MessageRecord* reply_ = nullptr;
  Deadline deadline_;
  bool shows_deadline_ = false;
  std::uint64_t tag_ = 0;
};

class [[nodiscard]] Asking::AsResult : public Asking {
 public:
  using Asking::Asking;
  Result<Message> await_resume();
};

// Lets the other agents of the worker run, or time pass.
class [[nodiscard]] Pausing : public Waiting, private TimerNode {
 public:
  explicit Pausing(Agent& agent) noexcept : TimerNode(&on_time), agent_(agent), yields_(true) {}
  Pausing(Agent& agent, Deadline until) noexcept
      : TimerNode(&on_time), agent_(agent), until_(until) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> awaiting) noexcept;
  void await_resume() const;
  const Agent& agent() const noexcept { return agent_; }
  WaitTimes times() const noexcept { return times_of(until_); }

 private:
  static void on_time(TimerNode& timer) noexcept;

  Agent& agent_;
  Deadline until_;
  bool yields_ = false;
  bool done_ = false;
};

}  // namespace coracle::detail
