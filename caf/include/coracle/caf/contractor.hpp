// What clients and bidders have in common: one agent may be both (the paper's DMS, Figure 6), and
// reads its messages in one place. Contract: tests/contracts/contracts_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/contract.hpp"

#include <string>
#include <vector>

namespace coracle::caf {

// An agent that takes part in contracts. Its own doings go into act(), beside which it serves.
class Contractor : public virtual Agent {
 public:
  // Serves until retire(), or until its node stops.
  Task<> run() override;

 protected:
  // One role of the agent.
  class Part {
   public:
    virtual ~Part() = default;
    // Deals with a message, which outlives `rest`: what is still to be done. False, and nothing
    // happens, when it is something else.
    virtual bool take(const Message& message, const Content& content, Task<>& rest) = 0;
    // When on_time() is wanted next.
    virtual Time due() const noexcept = 0;
    virtual Task<> on_time() = 0;
  };

  // What it does of its own accord.
  virtual Task<> act();
  // A message that has nothing to do with contracts. Otherwise a request is refused.
  virtual Task<> on_other(const Message& message);
  // Told when something that it said has no effect, and why.
  virtual void on_objection(const Objection& objection);

  // run() returns once the present message is dealt with.
  void retire();

  // For the roles: one more of them; something is due earlier than it was.
  void add(Part& part) { parts_.push_back(&part); }
  void hurry();
  // Sends, and gives the reason when it could not; fails with Errc::stopped or Errc::fenced.
  Task<std::string> tell(Address to, Content content);

 private:
  // None: it is done.
  Task<> handle(const Message& message);
  Task<> on_time();
  Task<> wake();
  Time due() const noexcept;

  std::vector<Part*> parts_;
  Time waits_until_ = Time::min();  // while it waits for a message; otherwise it need not be woken
  bool retired_ = false;
  int unhurried_ = 0;  // messages since deadlines were looked at
};

}  // namespace coracle::caf
