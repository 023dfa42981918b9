// The options of the commands that show a society.
#pragma once

#include "commands.hpp"

#include <CLI/CLI.hpp>

#include <functional>

namespace coracle::command {

// Adds `coracle view`, in a build that has it.
void add_view(CLI::App& app, ViewSettings& settings, std::function<int()>& act);

}  // namespace coracle::command
