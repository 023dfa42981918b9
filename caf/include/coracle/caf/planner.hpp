// An agent that wants something of arbiters and helps to grow their trees (the paper's planner,
// section 2.3.1 and Figure 7). Derive from it and define how it judges a node. Tests:
// tests/negotiation/negotiating_test.cpp.
#pragma once

#include "coracle/caf/contractor.hpp"
#include "coracle/caf/negotiation/plan.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coracle::caf {

// An agent that is a client of arbiters, of several at a time if it likes.
class Planner : public virtual Contractor {
 public:
  Planner();
  ~Planner() override;

 protected:
  // Returns the agent's judgement of a node in the tree of `arbiter`, and the moves that it wishes
  // for there. See Worth for the data that the judgement may depend on.
  virtual Judgement judge(const Name& arbiter, const PlanNode& node) = 0;
  // Returns whether the agent accepts a plan. By default it accepts a plan that is agreeable to
  // all, and any other plan that is worth no less than no agreement.
  virtual PlanAnswer answer(const Name& arbiter, const PlanOffer& offer);
  // The same two, for a planner that must request something of others or computes for long. By
  // default they call judge() and answer().
  virtual Task<Judgement> consider_node(const Name& arbiter, const PlanNode& node);
  virtual Task<PlanAnswer> consider_offer(const Name& arbiter, const PlanOffer& offer);
  // Called with the outcome of a negotiation.
  virtual void on_outcome(const Name& arbiter, const PlanOutcome& outcome);
  // Called with the progress of a plan.
  virtual void on_progress(const Name& arbiter, const PlanProgress& progress);
  // Called when a message that this agent sent has no effect, with the reason.
  virtual void on_plan_objection(const Name& arbiter, const PlanObjection& objection);

  // The time at which the plan may begin.
  enum class Begin : std::uint8_t {
    at_once,  // as soon as it is agreed upon
    at_go,    // once go() is called
  };
  // Sends a request to an arbiter, and returns its outcome. It can be called from act() or another
  // task of the agent; the agent continues to serve meanwhile. The request replaces the agent's
  // earlier request to this arbiter. If there is no arbiter, or the deadline passes, the outcome
  // reports that.
  Task<PlanOutcome> request(Name arbiter, PlanRequest what, Deadline deadline = Deadline::never(),
                            Begin begin = Begin::at_once);
  // The same, without waiting for the outcome; on_outcome() receives it.
  Task<> change(Name arbiter, PlanRequest what);
  // Allows the plan agreed upon with `arbiter` to begin.
  Task<> go(Name arbiter);
  // Withdraws the request to that arbiter.
  Task<> withdraw(Name arbiter);
  // The request to an arbiter; nullptr if there is none.
  const PlanRequest* asked(const Name& arbiter) const;
  // The arbiters that have a request of this agent.
  std::vector<Name> arbiters() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coracle::caf
