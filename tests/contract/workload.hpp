// Generated societies: a plan of who does what, and the trace of a run of it.
#pragma once

#include "subject.hpp"
#include "trace.hpp"

#include <iosfwd>
#include <vector>

namespace coracle::contract {

// One thing that an agent does; what the numbers mean depends on the first (workload_agent.cpp).
struct Step {
  unsigned what = 0, a = 0, b = 0, c = 0;
};

// What the agents do at the same time, and what happens to one of them meanwhile.
struct Round {
  enum class Twist : unsigned { nothing, take_over, restart };

  std::vector<std::vector<Step>> scripts;  // one for each agent
  Twist twist = Twist::nothing;
  unsigned who = 0;
};

// A society and what it does.
struct Plan {
  std::vector<unsigned> boxes;  // the kind of mailbox of each agent; as many as there are agents
  unsigned late = 0;            // so many of them come only after the first round
  std::vector<Round> rounds;
  std::vector<unsigned> moves;  // agents that are moved to the other worker while all this goes on
};

std::ostream& operator<<(std::ostream& out, const Plan& plan);

// Does it, stops the node, and gives the trace.
Trace perform(const Plan& plan, const Subject& subject);

// Performs generated plans and judges their traces; throws with the smallest plan that breaks a
// promise. There are `most` of them, or fewer where that takes long; RC_PARAMS sets their number
// and the seed, which is printed.
void prove_generated_workloads(const Subject& subject, int most = 60);

}  // namespace coracle::contract
