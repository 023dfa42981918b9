// Recordings of coracle-simulate: `coracle-simulate` makes one of a seed, and `coracle-simulate
// replay FILE` replays it.
#pragma once

#include "plans.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace coracle::conformance {

// Plays the plan of a seed and records it in `file`.
Run run_recorded(const sim::Options& options, Size size, const std::string& realization,
                 const std::string& file);

// The subcommand.
class ReplayCommand {
 public:
  // Adds the subcommand to `app`.
  explicit ReplayCommand(CLI::App& app);

  // Returns whether the subcommand was given.
  bool wanted() const;
  // Replays; returns the exit code: 1 when an exact replay differs or a promise was broken.
  int run() const;

 private:
  struct Wishes {
    std::string file;
    std::uint64_t until = 0;
    std::vector<std::uint64_t> drops;
    std::vector<std::string> delays;
    std::vector<std::string> changes;
    bool list = false;
    bool trace = false;
  };
  const CLI::App* command_;
  std::shared_ptr<Wishes> wishes_ = std::make_shared<Wishes>();
};

}  // namespace coracle::conformance
