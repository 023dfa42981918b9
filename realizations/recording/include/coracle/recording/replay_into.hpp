// Gives agents again what they were given in a recording, of whichever realization, and tells
// whether they answer as they did: after a change of their code, or to look at one of them alone.
// Contract: realizations/recording/tests.
#pragma once

#include "coracle/node.hpp"
#include "coracle/recording/replay.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace coracle::recording {

// An agent that plays itself.
struct Role {
  // Its name, and what its mailbox is like; on which worker it lives is not asked.
  AgentSpec spec;
  // Makes it, for each of its lives.
  std::function<std::unique_ptr<Agent>()> make;
};

// How it played.
struct Performance {
  Name agent;
  // How many messages it was given, and how many of its own were as recorded.
  std::uint64_t given = 0;
  std::uint64_t alike = 0;
  // How many could not be given: values that were not encoded, and what an eavesdropper missed.
  std::uint64_t skipped = 0;
  // Where it first did something else than what was recorded; it was not played on.
  std::optional<Difference> difference;
};

// Plays each role by itself, in virtual time, while stand-ins say to it what the others said, in
// the order in which it came; its pauses, deadlines and computations end when they did. What it
// sends, and how it ends, is compared with the recording, in order. Agents that it makes live. Not
// played back are properties of the others, and outcomes other than consumed of what it sends.
// Fails with Errc::no_such_agent when the recording has no agent of that name.
std::vector<Performance> replay_into(const Recording& recording, const std::vector<Role>& roles,
                                     const NodeOptions& options = {});

}  // namespace coracle::recording
