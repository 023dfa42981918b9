// An agent that is both arbiter and planner (the paper's Figure 7): it has the arbiters below it do
// what its clients want. Tests: tests/negotiation/levels_test.cpp.
#pragma once

#include "coracle/caf/arbiter.hpp"
#include "coracle/caf/planner.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coracle::caf {

// The part of a plan that another arbiter has to do.
struct Errand {
  Name arbiter;
  PlanRequest request;
};

// An agent of a hierarchy. It is bound by a plan only after all arbiters below it that the plan
// needs are bound; if one of them finds no plan, this agent seeks another plan itself.
class GameAgent : public Arbiter, public Planner {
 public:
  // The parameters are those of Arbiter. Arbiters below have `below_within` to agree upon a plan.
  GameAgent(std::shared_ptr<const Game> game, std::string state, ArbiterOptions options = {},
            Deadline below_within = std::chrono::seconds(30), Random& random = machine_random())
      : Arbiter(std::move(game), std::move(state), std::move(options), random),
        below_within_(below_within) {}

 protected:
  // Returns the errands of a plan, at most one for each arbiter.
  virtual std::vector<Errand> errands(const Plan& plan);
  // Returns why the outcome that an arbiter below has agreed upon does not suffice; empty if it
  // does.
  virtual std::string fault_of(const Errand& errand, const PlanOutcome& outcome);

  Judgement judge(const Name& arbiter, const PlanNode& node) override;
  Task<std::string> prepare(Plan plan) override;
  Task<> release() override;
  Task<> begin(Plan plan) override;

 private:
  Deadline below_within_;
  std::vector<Name> below_;  // the arbiters that have received a request
};

}  // namespace coracle::caf
