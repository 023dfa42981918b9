// Gives agents again the messages that they were given in a recording, of any realization, and
// checks whether they answer in the same way: after a change of their code, or to examine one of
// them alone.
// Tests: realizations/recording/tests.
#pragma once

#include "coracle/node.hpp"
#include "coracle/recording/replay.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace coracle::recording {

// An agent that is run again.
struct Role {
  // Its name, and the settings of its mailbox; the worker in it is ignored.
  AgentSpec spec;
  // Makes the agent, for each of its incarnations.
  std::function<std::unique_ptr<Agent>()> make;
};

// The result of one role.
struct Performance {
  Name agent;
  // The number of messages that the agent was given, and the number of its own messages that were
  // as recorded.
  std::uint64_t given = 0;
  std::uint64_t alike = 0;
  // The number of messages that could not be given: values that were not encoded, and messages that
  // an eavesdropper missed.
  std::uint64_t skipped = 0;
  // The first difference from the recording; the role was not played further.
  std::optional<Difference> difference;
};

// Plays each role by itself, in virtual time, while stand-ins send to it what the other agents
// sent, in the order in which it arrived; its pauses, deadlines and computations end when they did.
// The messages that it sends, and the way it ends, are compared with the recording, in order.
// Agents that it makes are run as well. Not played back are properties of the other agents, and
// outcomes other than consumed of the role's messages. Fails with Errc::no_such_agent when the
// recording has no agent of that name.
std::vector<Performance> replay_into(const Recording& recording, const std::vector<Role>& roles,
                                     const NodeOptions& options = {});

}  // namespace coracle::recording
