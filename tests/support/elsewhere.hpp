// Agents on other nodes of the same process.
#pragma once

#include "coracle/node.hpp"
#include "coracle/testing/actor.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace coracle::test {

// Has `there` take `agent`, for `me`; its address is one of the node of `me`. Fails with
// Errc::stopped once `is_gone`, which may be left out, says that the other node is no more.
Task<Address> adopt_at(Node& there, Agent& me, AgentSpec spec, std::unique_ptr<Agent> agent,
                       std::function<bool()> is_gone = {});

// Agents of one test are placed on all of these in turn; on none: wherever whoever makes them is.
void spread_over(const testing::Proceedings& test, std::vector<Node*> nodes);
// Every node of the test knows by now who has been made; a replica of the directory may lag behind.
Task<> all_have_heard(const testing::Proceedings& test, Agent& me);
// Where the next one is placed; nullptr: with whoever makes it.
Node* next_place(const testing::Proceedings& test);
// Places `agent` there, for `me`; every node has heard of it then.
Task<Address> place(const testing::Proceedings& test, Agent& me, AgentSpec spec,
                    std::unique_ptr<Agent> agent);

}  // namespace coracle::test
