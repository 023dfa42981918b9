// Who wants something of arbiters and helps to grow their trees (the paper's planner, section 2.3.1
// and Figure 7): derive, and say what you think of a node. Contract:
// tests/negotiation/negotiating_test.cpp.
#pragma once

#include "coracle/caf/contractor.hpp"
#include "coracle/caf/plan.hpp"

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
  // What it thinks of a node of the tree of `arbiter`, and where it would go on from there. See
  // Worth for what that may depend on.
  virtual Judgement judge(const Name& arbiter, const PlanNode& node) = 0;
  // Whether it takes a plan. Otherwise it takes what is agreeable to all, and everything else that
  // is worth no less than nothing.
  virtual PlanAnswer answer(const Name& arbiter, const PlanOffer& offer);
  // The same two, for a planner that must ask others or compute for long. Otherwise they call the
  // two above.
  virtual Task<Judgement> consider_node(const Name& arbiter, const PlanNode& node);
  virtual Task<PlanAnswer> consider_offer(const Name& arbiter, const PlanOffer& offer);
  // Told what has come of a negotiation.
  virtual void on_outcome(const Name& arbiter, const PlanOutcome& outcome);
  // Told how far a plan is.
  virtual void on_progress(const Name& arbiter, const PlanProgress& progress);
  // Told when something that it said has no effect, and why.
  virtual void on_plan_objection(const Name& arbiter, const PlanObjection& objection);

  // When the plan may begin.
  enum class Begin : std::uint8_t {
    at_once,  // once it is agreed upon
    at_go,    // once go() says so
  };
  // Asks for something, and gives what comes of it; called from act() or another task of the agent,
  // which goes on serving meanwhile. What it asked of that arbiter before is replaced. Where there
  // is no arbiter, or the deadline passes, the outcome says so.
  Task<PlanOutcome> request(Name arbiter, PlanRequest what, Deadline deadline = Deadline::never(),
                            Begin begin = Begin::at_once);
  // The same, without waiting for what comes of it: on_outcome() tells.
  Task<> change(Name arbiter, PlanRequest what);
  // What was agreed upon there may begin.
  Task<> go(Name arbiter);
  // It does not want anything of that arbiter any more.
  Task<> withdraw(Name arbiter);
  // What it has asked of an arbiter; nullptr: nothing.
  const PlanRequest* asked(const Name& arbiter) const;
  // Of which arbiters.
  std::vector<Name> arbiters() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace coracle::caf
