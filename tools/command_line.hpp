// The command line: one function for each group of subcommands, which adds these.
#pragma once

#include "commands.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>

namespace coracle::command {

// The action that the command line has asked for. Returns an exit code.
using Act = std::function<int()>;

// A subcommand with its settings, which live as long as it does.
template <class Settings>
struct Added {
  CLI::App& app;
  Settings& settings;
};

template <class Settings>
Added<Settings> add_command(CLI::App& app, Act& act, const char* name, const char* text,
                            int (*run)(const Settings&)) {
  CLI::App& command = *app.add_subcommand(name, text);
  const auto settings = std::make_shared<Settings>();
  command.callback([settings, run, &act] { act = [settings, run] { return run(*settings); }; });
  return {command, *settings};
}

// Adds the option that names the society.
void add_realization(CLI::App& app, Place& place);
// The same, and the choice of JSON.
void add_place(CLI::App& app, Place& place);

void add_serving(CLI::App& app, Act& act);    // central, directory, keys
void add_gateways(CLI::App& app, Act& act);   // gateway, acl; in a build that has them
void add_looks(CLI::App& app, Act& act);      // ls, draw, stats, audit, doctor, top
void add_operating(CLI::App& app, Act& act);  // queue, why, end, restart, record, step
void add_following(CLI::App& app, Act& act);  // watch, tap, trace
void add_showing(CLI::App& app, Act& act);    // export, view; in a build that has them
void add_talking(CLI::App& app, Act& act);    // send, listen

}  // namespace coracle::command
