// The lifecycle of agents on one worker: they get a name, lose it, and end.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/directory.hpp"
#include "coracle/task.hpp"

#include <exception>
#include <memory>
#include <string>

namespace coracle::detail {

class Mailbox;
class Worker;

// Registers a name and starts its agent on the worker that the spec names.
Task<Address> make_agent(Worker& at, AgentSpec spec, std::unique_ptr<Agent> agent);
// One of the agent's tasks has ended; `error` is the exception that left it.
void task_done(Worker& home, Agent& agent, const std::exception_ptr& error, bool is_main) noexcept;
void end_agent(Worker& home, Agent& agent, EndReason reason, const std::string& text) noexcept;
// Ends the agent that holds a name, from any thread, as if its run() had returned.
void end_agent_at(Mailbox& mailbox);
// Another agent takes the name. The messages that the old agent had in hand go to the new agent
// first. The old agent notices the loss in its next operation.
void fence(Worker& home, Mailbox& mailbox) noexcept;
// All taps of the agent end, on all workers and nodes.
void drop_taps(Worker& home, Mailbox& mailbox) noexcept;

}  // namespace coracle::detail
