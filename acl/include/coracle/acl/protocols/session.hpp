// One pair of agents in an interaction protocol, as one of the two sees it. Its inputs are
// messages, decisions of its owner, and the time; its outputs are messages and finally an outcome.
// It sends nothing and has no clock. Tests: acl/tests/protocols/session_test.cpp.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/acl/protocols/calendar.hpp"
#include "coracle/acl/protocols/protocol.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::acl {

// Gives a text that no other message of the society has, for reply-with and conversation-id. It
// should be hard to guess: a stranger that knows it could pretend that a message was lost. A
// session puts numbers behind one such text.
using MessageIds = std::function<std::string()>;

// The end of a pair.
enum class Outcome : std::uint8_t {
  open,            // it has not ended
  done,            // inform: the result, the end of an auction
  refused,         // refuse
  failed,          // failure
  not_understood,  // not-understood, by either side
  accepted,        // accept-proposal, in fipa-propose
  rejected,        // reject-proposal
  cancelled,       // the initiator has cancelled it
  expired,         // the answer did not come in time
  lost,            // a message could not be delivered
  closed,          // the owner has left it without a message
};

const char* to_string(Outcome outcome) noexcept;

// The effect of a message on a pair.
enum class Heard : std::uint8_t {
  foreign,          // it belongs to another conversation, or comes from another agent
  out_of_sequence,  // not permitted now, or not an answer to the last message; it has no effect
  taken,            // the next step of the protocol
  relayed,          // an answer to the message that a broker or recruiter has passed on
  cancel_asked,     // the initiator wants to cancel: answer_cancel()
  cancel_refused,   // the participant goes on in spite of the cancel
};

// The part of a message that its sender decides.
struct Speech {
  Speech(Performative performative, Body text = {}, std::optional<Duration> within = {})
      : act(performative), content(std::move(text)), reply_within(within) {}

  Performative act;
  Body content;
  // The time that the other side has to answer; without it, it may take any time.
  std::optional<Duration> reply_within;
};

// A pair. Partners that lie, repeat themselves or answer too late change nothing.
class Session {
 public:
  // The initiator's side. `opening` has one receiver, a conversation-id, a reply-with of its own,
  // and a performative that opens the protocol; it is the first message to be sent.
  Session(const Protocol& protocol, Message opening, const Calendar& calendar, Time now);
  // The participant's side: `self` has received `opening`. `id` begins each reply-with of it.
  Session(const Protocol& protocol, const Message& opening, AgentId self, std::string id,
          const Calendar& calendar, Time now);

  const Protocol& protocol() const noexcept { return *protocol_; }
  Side side() const noexcept { return side_; }
  State state() const noexcept { return state_; }
  Outcome outcome() const noexcept { return outcome_; }
  const AgentId& self() const noexcept { return self_; }
  const AgentId& partner() const noexcept { return partner_; }
  // The message that opened the pair, and the last one of the partner that had an effect; before
  // the first one, an initiator has an empty message.
  const Message& opening() const noexcept { return opening_; }
  const Message& heard() const noexcept { return heard_; }
  // The time at which on_time() is to be called; Time::max() if never.
  Time deadline() const noexcept;
  // Returns whether `act` is permitted to this side now.
  bool can_say(Performative act) const noexcept;
  // Returns whether a cancel waits for its answer.
  bool is_cancelling() const noexcept { return cancel_.has_value(); }

  // Takes a message.
  Heard hear(const Message& message, Time now);
  // The message by which this side goes on. Empty if it is not permitted now.
  std::optional<Message> say(Speech speech, Time now);
  // The initiator's cancel. Empty if the pair is over or a cancel waits for its answer already. If
  // nobody answers within Speech::reply_within, the pair ends as cancelled; the act is ignored.
  std::optional<Message> cancel(Speech speech, Time now);
  // The participant's answer to a cancel: inform, and the pair is over, or failure, and it goes on.
  // Empty if no cancel waits.
  std::optional<Message> answer_cancel(bool is_cancelled, Body content, Time now);
  // Answers to a message with this reply-with belong to this pair, too: the message that a broker
  // passes on. For the initiator of brokering and recruiting.
  void expect_answers_to(std::string reply_with) { relayed_with_ = std::move(reply_with); }
  // Does what is due: without an answer in time, the pair goes to Protocol::when_silent.
  void on_time(Time now);
  // Ends the pair without a message; has no effect on one that is over.
  void end(Outcome outcome) noexcept;

 private:
  // A cancel that has no answer yet, and the time for it.
  struct Cancel {
    Message message;
    Time deadline = Time::max();
  };

  bool has_protocol_of(const Message& message) const noexcept;
  Heard hear_answer_to_cancel(const Message& message);
  bool is_delivery_failure(const Message& message) const noexcept;
  bool is_in_sequence(const Message& message) const noexcept;
  // Returns whether it is that of a message of this side, or of a cancel, by the mark.
  bool is_own(std::string_view reply_with, char mark) const noexcept;
  std::string next_id(char mark);
  // Goes to the state behind a message of either side.
  void go(const Move& move, const Message& message, Time now);
  // Sets the deadline for the answer to a message, if it has one.
  void await_answer(Side asked_by, const Message& message, Time now) noexcept;
  Message continued(Performative act) const;

  const Protocol* protocol_;
  Side side_;
  State state_;
  Outcome outcome_ = Outcome::open;
  Calendar calendar_;
  AgentId self_;
  AgentId partner_;
  Message opening_;
  Message heard_;
  // The text that begins each reply-with of this side, and the number of messages that had one.
  std::string id_;
  std::uint64_t said_ = 0;
  // The reply-with of the last message of this side, and of the message that a broker passes on.
  std::string asked_with_;
  std::string relayed_with_;
  std::optional<Cancel> cancel_;
  Time deadline_ = Time::max();
};

}  // namespace coracle::acl
