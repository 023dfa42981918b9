// The common base of clients, bidders, arbiters and planners. One agent may have several of these
// roles (the paper's Figures 6 and 7), and reads its messages in one place. Tests:
// tests/contracts/contracts_test.cpp.
#pragma once

#include "coracle/caf/contracts/contract.hpp"
#include "coracle/caf/participant.hpp"

#include <coroutine>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::caf {

// An agent that takes part in contracts or plans. The agent's own activity goes into act(), which
// runs while the agent serves.
class Contractor : public virtual Participant {
 public:
  // Serves until retire() is called, or until its node stops.
  Task<> run() override;

 protected:
  // One role of the agent.
  class Part {
   public:
    virtual ~Part() = default;
    // Handles a message, which outlives `rest`: the task that is still to be done. A handler takes
    // the message with it. Returns false, and does nothing, when the message is not for this role.
    virtual bool take(Message& message, const Content& content, Task<>& rest) = 0;
    // The kind of messages with content type `type` for this role.
    virtual Kind kind_of(std::string_view type) const noexcept = 0;
    // The time at which on_time() is to be called next.
    virtual Time due() const noexcept = 0;
    virtual Task<> on_time() = 0;
  };

  // The activity that the agent starts by itself.
  virtual Task<> act();
  // Handles a message that has nothing to do with contracts, when its turn has come. By default it
  // refuses a request.
  virtual Task<> on_other(const Message& message);
  // Called when a message that this agent sent has no effect, with the reason.
  virtual void on_objection(const Objection& objection);

  // A message that is being sent. Awaiting it returns the reason when the message could not be
  // sent.
  class [[nodiscard]] Telling {
   public:
    // Sends the message at once, if there is room.
    Telling(Agent& agent, Address to, Content content);
    // The functions that a coroutine calls to await it. They fail with Errc::stopped or
    // Errc::fenced.
    bool await_ready() const noexcept { return sending_.await_ready(); }
    void await_suspend(std::coroutine_handle<> awaiting) { sending_.await_suspend(awaiting); }
    std::string await_resume();

   private:
    detail::Sending sending_;
  };

  // For the roles: adds a role; and announces that something is due earlier than before.
  void add(Part& part) { parts_.push_back(&part); }
  void hurry();
  // Sends a message.
  Telling tell(Address to, Content content) { return Telling(*this, to, std::move(content)); }

 private:
  Kind kind_of(std::string_view type) const noexcept;
  // An empty task means that the message has been handled.
  Task<> handle(Message& message);
  Task<> deal_with(Message message);
  Task<> on_time();
  Task<> ring(Time when);
  Time due() const noexcept;

  std::vector<Part*> parts_;
  std::vector<Time> alarms_;  // the alarms that are set, each earlier than the one before
  bool is_due_ = false;       // true if an alarm has rung
  int unhurried_ = 0;         // messages since deadlines were last checked
};

}  // namespace coracle::caf
