// Acts of an operator on agents of a society. They are off unless a policy gives the operator's
// node the right `operate` for the agent's name, or, in a society of one process,
// NodeOptions::operators is set. The node of the agent logs each act, and `coracle audit` shows who
// did it.
#pragma once

#include "coracle/name.hpp"
#include "coracle/task.hpp"

#include <cstdint>

namespace coracle {

class Agent;
class Node;

// The acts of an operator.
enum class OperatorAct : std::uint8_t {
  end,      // ends the agent, as if its run() had returned; no supervisor restarts it
  restart,  // ends the agent as if it had crashed, so that its supervisor restarts it
};

// Performs the act on the agent of that name, on whatever node it runs; returns when it is done.
// Blocks; call it from a thread that is no worker. Fails with Errc::no_such_agent, with
// Errc::not_permitted, with Errc::unsupported for the restart of an agent that has no supervisor on
// its node, and with Errc::expired when the agent's node has not replied within five seconds; then
// the act may have been performed.
void operate(Node& node, OperatorAct act, const Name& name);
// The same, for an agent, on behalf of its node.
Task<> operate(Agent& agent, OperatorAct act, Name name);

}  // namespace coracle
