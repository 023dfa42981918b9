// Generated societies: a plan with a script for each agent, and the trace of a run of the plan.
#pragma once

#include "model/trace.hpp"
#include "subject.hpp"

#include <iosfwd>
#include <vector>

namespace coracle::conformance {

// One action of an agent; the meaning of the numbers depends on the first (workload_agent.cpp).
struct Step {
  unsigned what = 0, a = 0, b = 0, c = 0;
};

// The scripts that the agents play at the same time, and the event that meanwhile affects one
// agent.
struct Round {
  enum class Twist : unsigned { nothing, take_over, restart };

  std::vector<std::vector<Step>> scripts;  // one for each agent
  Twist twist = Twist::nothing;
  unsigned who = 0;
};

// A society and its scripts.
struct Plan {
  std::vector<unsigned> boxes;  // the kind of mailbox of each agent; one for each agent
  unsigned late = 0;            // the number of agents that come only after the first round
  std::vector<Round> rounds;
  std::vector<unsigned> moves;  // agents that move to the other worker during the run
  bool settles = false;         // the nodes stop only when all links are whole
};

std::ostream& operator<<(std::ostream& out, const Plan& plan);

// Performs the plan, stops the node, and returns the trace.
Trace perform(const Plan& plan, const Subject& subject);

// Performs generated plans and judges their traces; throws with the smallest plan that breaks a
// promise. It performs `most` plans, or fewer where they take long; RC_PARAMS sets their number and
// the seed, which is printed.
void prove_generated_workloads(const Subject& subject, int most = 60);

}  // namespace coracle::conformance
