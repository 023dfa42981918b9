// The command line of coracle-bench.
#pragma once

#include "harness/options.hpp"
#include "scenarios/scenarios.hpp"

#include <span>
#include <string>
#include <vector>

namespace coracle::bench {

// What the whole invocation is to do.
struct Command {
  std::vector<const Scenario*> scenarios;  // one, or all of them
  bool is_all = false;
  std::vector<std::string> realizations;  // their full names
  std::string json;                       // a file, or "-"
  std::string report;                     // a folder
  Options options;
};

// Reads it. Fails with BadRequest, whose text says what to write instead; prints the help and ends
// the program if that is what was asked for.
Command read_command(int argc, char** argv, std::span<const Scenario> scenarios);

}  // namespace coracle::bench
