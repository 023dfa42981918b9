// An agent that does one thing in a society and ends: what most commands are.
#pragma once

#include "commands.hpp"

#include "coracle/coracle.hpp"

#include <functional>
#include <string>

namespace coracle::command {

// Joins the society as `name`, does `what`, and leaves; also at SIGINT and SIGTERM. Throws what
// `what` throws, and what keeps the node or the agent out; returns what the node said when it
// stopped.
StopReport do_as(const Place& place, const std::string& name, std::function<Task<>(Agent&)> what);

// Prints a line, at once.
void print_line(const std::string& line);

}  // namespace coracle::command
