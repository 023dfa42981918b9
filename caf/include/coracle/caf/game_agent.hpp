// Arbiter and planner in one (the paper's Figure 7): what its clients want of it, it has done by
// the arbiters below it. Contract: tests/negotiation/levels_test.cpp.
#pragma once

#include "coracle/caf/arbiter.hpp"
#include "coracle/caf/planner.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coracle::caf {

// What a plan needs of somebody else.
struct Errand {
  Name arbiter;
  PlanRequest request;
};

// An agent of a hierarchy. It is bound by a plan only after all those are below it that the plan
// needs; where one of them has no plan, it seeks another one itself.
class GameAgent : public Arbiter, public Planner {
 public:
  // As in Arbiter. Those below have so long to agree upon a plan.
  GameAgent(std::shared_ptr<const Game> game, std::string state, ArbiterOptions options = {},
            Deadline below_within = std::chrono::seconds(30), Random& random = machine_random())
      : Arbiter(std::move(game), std::move(state), std::move(options), random),
        below_within_(below_within) {}

 protected:
  // What that plan needs of others; at most one of each.
  virtual std::vector<Errand> errands(const Plan& plan);
  // Whether what an arbiter below has agreed upon will do; gives why not.
  virtual std::string fault_of(const Errand& errand, const PlanOutcome& outcome);

  Judgement judge(const Name& arbiter, const PlanNode& node) override;
  Task<std::string> prepare(Plan plan) override;
  Task<> release() override;
  Task<> begin(Plan plan) override;

 private:
  Deadline below_within_;
  std::vector<Name> below_;  // who has been asked
};

}  // namespace coracle::caf
