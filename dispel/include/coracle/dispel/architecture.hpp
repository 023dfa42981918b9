// Draws the architecture of a running society, in the manner of the paper's Figures 3 to 5: the
// roles of the agents, and which agents deal with which. Tests:
// tests/control/architecture_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/directory.hpp"

#include <string>
#include <vector>

namespace coracle::dispel {

// One agent, with its roles: "source", "filter", "sink", "server", "client", "master", "slave",
// "behaviour", "keeper".
struct DrawnAgent {
  std::string name;
  std::vector<std::string> roles;
};

// An arrow from one agent to another: "supplies", "asks", "commands", "signals", "suppresses",
// "inhibits", "keeps".
struct DrawnArrow {
  std::string from;
  std::string to;
  std::string what;
};

// The result of describe(), ordered by name.
struct Architecture {
  std::vector<DrawnAgent> agents;
  std::vector<DrawnArrow> arrows;

  // A line for each agent and, beneath it, the agents that it deals with.
  std::string to_text() const;
  // For Graphviz's `dot`; each role has its own shape.
  std::string to_dot() const;
};

// The drawing of agents with these entries, as a search of the directory returns them. Agents that
// play no role of this layer are left out.
Architecture drawn(std::vector<Entry> entries);
// The agents within `prefix` (all, if it is empty) that play roles of this layer. An agent that
// deals with absent agents is drawn all the same.
Task<Architecture> describe(Agent& self, Name prefix = {});

}  // namespace coracle::dispel
