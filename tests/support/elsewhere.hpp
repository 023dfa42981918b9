// Agents on other nodes of the same process.
#pragma once

#include "coracle/node.hpp"

#include <memory>

namespace coracle::test {

// Has `there` take `agent`, for `me`; its address is one of the node of `me`.
Task<Address> adopt_at(Node& there, Agent& me, AgentSpec spec, std::unique_ptr<Agent> agent);

}  // namespace coracle::test
