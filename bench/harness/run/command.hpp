// The command line of coracle-bench.
#pragma once

#include "options.hpp"
#include "scenarios/scenarios.hpp"

#include <span>
#include <string>
#include <vector>

namespace coracle::bench {

// The work of the whole invocation.
struct Command {
  std::vector<const Scenario*> scenarios;  // one scenario, or all of them
  bool is_all = false;
  std::vector<std::string> realizations;  // their full names
  std::string json;                       // a file, or "-"
  std::string report;                     // a folder
  Options options;
};

// Reads the command line. Fails with BadRequest, whose text gives the correct form; prints the help
// and ends the program if the command line asks for that.
Command read_command(int argc, char** argv, std::span<const Scenario> scenarios);

}  // namespace coracle::bench
