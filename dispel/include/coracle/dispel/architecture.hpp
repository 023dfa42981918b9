// Draws the architecture of a society that runs, in the manner of the paper's Figures 3 to 5: who
// plays which roles, and who deals with whom. Contract: tests/control/architecture_test.cpp.
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

// From one agent to another: "supplies", "asks", "commands", "signals", "suppresses",
// "inhibits", "keeps".
struct DrawnArrow {
  std::string from;
  std::string to;
  std::string what;
};

// What describe() found, ordered by name.
struct Architecture {
  std::vector<DrawnAgent> agents;
  std::vector<DrawnArrow> arrows;

  // A line for each agent, and beneath it whom it deals with.
  std::string to_text() const;
  // For Graphviz's `dot`; each role has its own shape.
  std::string to_dot() const;
};

// What is to be drawn of agents with these entries, as a look at the directory finds them; those
// that play no role of this layer are left out.
Architecture drawn(std::vector<Entry> entries);
// The agents within `prefix` (all, if it is empty) that play roles of this layer. Those that deal
// with others who are not there are drawn all the same.
Task<Architecture> describe(Agent& self, Name prefix = {});

}  // namespace coracle::dispel
