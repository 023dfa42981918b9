// An agent with which others begin conversations of FIPA. Derive from it and write converse(),
// which runs once for each conversation, beside the others. The agent may begin conversations of
// its own, too, by the functions of initiator.hpp. Tests: tests/fipa/participant_test.cpp.
#pragma once

#include "coracle/acl/initiator.hpp"
#include "coracle/acl/protocols/participations.hpp"
#include "coracle/acl/settings.hpp"
#include "coracle/agent.hpp"
#include "coracle/timer.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coracle::acl {

class Participant;

// One conversation, in the task that runs it.
class Talk {
 public:
  Talk(Participant& owner, Session& session) noexcept;
  Talk(const Talk&) = delete;

  // The protocol, the partner, and the state.
  const Session& session() const noexcept { return session_; }
  // The message by which the other agent has begun it.
  const Message& opening() const noexcept { return session_.opening(); }
  // Returns whether this is a conversation of that protocol.
  bool is_about(const Protocol& protocol) const noexcept {
    return &session_.protocol() == &protocol;
  }

  // Goes on with the conversation. Returns false if that is not permitted, or not any more: it has
  // expired, the partner cannot be reached. Fails as Agent::send() does when the node stops.
  Task<bool> say(Speech speech);
  // The next message of the initiator: an answer to a proposal, a further call, or a cancel, which
  // answer_cancel() answers. Nothing when the deadline passes, or when the conversation is over.
  Task<std::optional<Message>> next(Deadline until = Deadline::never());
  // Answers a cancel: with true, the conversation is over. Returns false if none waits.
  Task<bool> answer_cancel(bool is_cancelled, Body content = {});
  // Sends a message as it is, without an effect on the conversation: an answer that a broker passes
  // back. Returns false if it has not reached all its receivers; then the conversation is over.
  Task<bool> pass(Message message);
  // Ends this side without a message: what follows does not concern this agent.
  void leave() noexcept { session_.end(Outcome::closed); }
  // Returns whether a cancel waits for its answer. If converse() returns then, it is answered.
  bool is_cancelling() const noexcept { return session_.is_cancelling(); }

 private:
  friend class Participant;
  // The messages that may wait for next(). An initiator that sends more than that is left.
  static constexpr std::size_t waiting_limit = 64;

  void take(const Message& message);
  Task<> finish();

  Participant& owner_;
  Session& session_;
  std::deque<Message> waiting_;
  Timer timer_;
};

// The agent. run() serves until retire() is called, or until the node stops.
class Participant : public virtual Agent {
 public:
  explicit Participant(Settings settings = {}, Participations::Limits limits = {});
  ~Participant() override;

  Task<> run() override;
  const Settings& settings() const noexcept;
  // For the functions of initiator.hpp: the conversations that this agent has begun.
  const std::shared_ptr<std::set<std::string>>& own_conversations() const noexcept;

 protected:
  // Takes part in one conversation. When it returns before the conversation is over, the initiator
  // gets a failure.
  virtual Task<> converse(Talk& talk) = 0;
  // Returns whether the agent takes part in a conversation; the initiator of another one gets
  // not-understood. By default it takes part in all.
  virtual bool serves(const Session& session) const;
  // The activity that the agent starts by itself.
  virtual Task<> act();
  // Called with a message of FIPA that has no effect: it belongs to no conversation, or is out of
  // sequence. By default it does nothing.
  virtual Task<> on_other(const Message& message);

  // Makes run() return once act() and all present conversations have ended. New ones are refused.
  void retire();
  // The agent's own identifier.
  AgentId agent_id() const;

 private:
  friend class Talk;
  class Impl;

  Task<> act_first();
  Task<> host(std::shared_ptr<Talk> talk);
  Task<> handle(Message message);
  Task<> refuse(const Message& message, bool is_unknown);
  void wake();

  std::unique_ptr<Impl> impl_;
};

}  // namespace coracle::acl
