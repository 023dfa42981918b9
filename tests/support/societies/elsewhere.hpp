// Agents on other nodes of the same process.
#pragma once

#include "coracle/node.hpp"
#include "coracle/testing/actor.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace coracle::test {

// Adopts `agent` on the node `there`, for `me`; the address is one of the node of `me`. Fails with
// Errc::stopped when `is_gone`, which may be empty, returns that the other node has ended.
Task<Address> adopt_at(Node& there, Agent& me, AgentSpec spec, std::unique_ptr<Agent> agent,
                       std::function<bool()> is_gone = {});

// Places the agents of one test on all of these nodes in turn; without nodes, on the node of the
// calling agent.
void spread_over(const testing::Proceedings& test, std::vector<Node*> nodes);
// Returns when every node of the test knows the agents made so far; a replica of the directory may
// lag behind.
Task<> all_have_heard(const testing::Proceedings& test);
// The node for the next agent; nullptr: the node of the calling agent.
Node* next_place(const testing::Proceedings& test);
// Places `agent` there, for `me`; on return, every node knows it.
Task<Address> place(const testing::Proceedings& test, Agent& me, AgentSpec spec,
                    std::unique_ptr<Agent> agent);

}  // namespace coracle::test
