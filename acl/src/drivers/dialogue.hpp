// The driver of an Initiation: sends its messages, receives the answers, and keeps the time.
#pragma once

#include "coracle/acl/initiator.hpp"
#include "drivers/correspondence.hpp"

#include <optional>
#include <utility>

namespace coracle::acl {

// The message as this agent begins a conversation with it.
Message opened_by(Agent& self, const Protocol& protocol, Message message, const Terms& terms);

// One conversation. It lives in the task that awaits its functions.
class Dialogue {
 public:
  Dialogue(Agent& self, const Protocol& protocol, Message message, Terms terms);

  Initiation& conversation() noexcept { return conversation_; }
  Time now() const noexcept { return self_.now(); }
  // Sends everything that is to be sent.
  Task<> send();
  // Sends, then waits for the next message or deadline, until `until` at the latest. Returns what
  // was heard; Heard::foreign when time has passed.
  Task<Initiation::Hearing> step(Time until = Time::max());
  // The outcome of each session so far.
  Answers answers() const;

 private:
  Agent& self_;
  Terms terms_;
  Initiation conversation_;
  Correspondence correspondence_;
  Time end_;  // of the whole conversation
};

}  // namespace coracle::acl
