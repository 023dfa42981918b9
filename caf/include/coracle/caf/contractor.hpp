// What clients, bidders, arbiters and planners have in common: one agent may be several of them
// (the paper's Figures 6 and 7), and reads its messages in one place. Contract:
// tests/contracts/contracts_test.cpp.
#pragma once

#include "coracle/caf/contract.hpp"
#include "coracle/caf/participant.hpp"

#include <coroutine>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::caf {

// An agent that takes part in contracts or plans. Its own doings go into act(), beside which it
// serves.
class Contractor : public virtual Participant {
 public:
  // Serves until retire(), or until its node stops.
  Task<> run() override;

 protected:
  // One role of the agent.
  class Part {
   public:
    virtual ~Part() = default;
    // Deals with a message, which outlives `rest`: what is still to be done. A handler takes the
    // message with it. False, and nothing happens, when it is something else.
    virtual bool take(Message& message, const Content& content, Task<>& rest) = 0;
    // How this role takes messages of that type.
    virtual Kind kind_of(std::string_view type) const noexcept = 0;
    // When on_time() is wanted next.
    virtual Time due() const noexcept = 0;
    virtual Task<> on_time() = 0;
  };

  // What it does of its own accord.
  virtual Task<> act();
  // A message that has nothing to do with contracts, when its turn has come. Otherwise a request is
  // refused.
  virtual Task<> on_other(const Message& message);
  // Told when something that it said has no effect, and why.
  virtual void on_objection(const Objection& objection);

  // A message on its way; awaiting it gives the reason when it could not be sent.
  class [[nodiscard]] Telling {
   public:
    // It is sent at once, if there is room.
    Telling(Agent& agent, Address to, Content content);
    // What a coroutine asks it; fails with Errc::stopped or Errc::fenced.
    bool await_ready() const noexcept { return sending_.await_ready(); }
    void await_suspend(std::coroutine_handle<> awaiting) { sending_.await_suspend(awaiting); }
    std::string await_resume();

   private:
    detail::Sending sending_;
  };

  // For the roles: one more of them; something is due earlier than it was.
  void add(Part& part) { parts_.push_back(&part); }
  void hurry();
  // Sends.
  Telling tell(Address to, Content content) { return Telling(*this, to, std::move(content)); }

 private:
  Kind kind_of(std::string_view type) const noexcept;
  // None: it is done.
  Task<> handle(Message& message);
  Task<> deal_with(Message message);
  Task<> on_time();
  Task<> ring(Time when);
  Time due() const noexcept;

  std::vector<Part*> parts_;
  std::vector<Time> alarms_;  // that are set, each earlier than the one before
  bool is_due_ = false;       // one of them has rung
  int unhurried_ = 0;         // messages since deadlines were looked at
};

}  // namespace coracle::caf
