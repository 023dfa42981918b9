// Generated societies for the simulator: the seed makes the plan, the choices, and everything else.
#pragma once

#include "coracle/realizations/sim.hpp"
#include "workload/workload.hpp"

#include <string>

namespace coracle::conformance {

// The size of the generated societies.
enum class Size {
  small,     // as in the conformance suite: some dozen messages
  standard,  // about a thousand messages
};

Plan plan_of(std::uint64_t seed, Size size);

// The result of one seed.
struct Run {
  std::uint64_t seed = 0;
  std::uint64_t messages = 0;
  std::uint64_t events = 0;
  std::uint64_t things = 0;
  std::uint64_t hash = 0;  // of the world's trace
  std::string trace;       // when it is recorded
  // The model's verdict, or the failure of the run; empty: none. With the logs of the agents when
  // the trace is recorded.
  std::string wrong;
};

// Replaces parts of a realization by broken ones; may be empty.
using Plant = std::function<void(Realization& realization)>;

// Plays the plan of `options.seed` in a world with these settings and judges the trace. With
// several nodes, the faults of that seed, or the given ones, happen.
Run run_seed(const sim::Options& options, Size size, const Plant& plant = {},
             const std::string& realization = "local:",
             const std::optional<sim::Faults>& faults = std::nullopt);

// The same in an existing world.
Run run_in(sim::World& world, const sim::Options& options, Size size, const Plant& plant = {},
           const std::string& realization = "local:",
           const std::optional<sim::Faults>& faults = std::nullopt);

// Returns the indexes of those faults of a failing seed that suffice for the failure.
std::vector<std::size_t> faults_needed(const sim::Options& options, Size size,
                                       const std::string& realization, const Plant& plant = {});

// The settings of a campaign's seed: with one worker or two, with and without the transport.
sim::Options options_of(std::uint64_t seed);

// One line of a run that failed: its seed, what is wrong, and the command that repeats it.
std::string report(const Run& run, const std::string& command);

}  // namespace coracle::conformance
