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

// Prints a line, at once. Others may have chosen what is in it: what could deceive whoever looks at
// it, or command the terminal, is escaped.
void print_line(const std::string& line);
// The same, of a value of JSON: what is escaped there means what it meant.
void print_json(const std::string& json);
// Says, to who looks and not to who reads the output, how many messages a gap marker stands for.
void print_gap(const MessageView& marker);

}  // namespace coracle::command
