// An agent that does one thing in a society and ends: the form of most commands.
#pragma once

#include "commands.hpp"

#include "coracle/coracle.hpp"

#include <functional>
#include <string>

namespace coracle::command {

// Joins the society as `name`, does `what`, and leaves; also at SIGINT and SIGTERM. Throws the
// exceptions of `what`, and the errors that keep the node or the agent out; returns the node's
// report when it stopped.
StopReport do_as(const Place& place, const std::string& name, std::function<Task<>(Agent&)> what);

// Prints a line, at once. Others may have chosen its text, so characters that could deceive a
// reader or control the terminal are escaped.
void print_line(const std::string& line);
// The same for a value of JSON: an escaped character keeps its meaning there.
void print_json(const std::string& json);
// Prints for a person, not into the output, how many messages a gap marker stands for.
void print_gap(const MessageView& marker);

}  // namespace coracle::command
