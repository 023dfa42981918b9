// The command line of several subcommands.
#pragma once

#include "commands.hpp"

#include <CLI/CLI.hpp>

#include <functional>

namespace coracle::command {

// Adds the option that names the society.
void add_realization(CLI::App& app, Place& place);
// The same, and the choice of JSON.
void add_place(CLI::App& app, Place& place);

// The commands for operators.
struct Operating {
  StatsSettings stats;
  AuditSettings audit;
  DoctorSettings doctor;
  TraceSettings trace;
  QueueSettings queue;
  WhySettings why;
  ActSettings end, restart;
};
void add_operating(CLI::App& app, Operating& settings, std::function<int()>& act);

}  // namespace coracle::command
