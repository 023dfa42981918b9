// Generated societies for the simulator: the seed makes the plan, the choices, and all else.
#pragma once

#include "coracle/realizations/sim.hpp"
#include "workload.hpp"

#include <string>

namespace coracle::contract {

// How large the generated societies are.
enum class Size {
  small,     // as the contract's own: some dozen messages
  standard,  // about a thousand messages
};

Plan plan_of(std::uint64_t seed, Size size);

// What came of one seed.
struct Run {
  std::uint64_t seed = 0;
  std::uint64_t messages = 0;
  std::uint64_t events = 0;
  std::uint64_t things = 0;
  std::uint64_t hash = 0;  // of the world's trace
  std::string trace;       // when it is recorded
  std::string wrong;       // what the model says, or how the run failed; empty when all is well
};

// What breaks parts of a realization, or nothing.
using Plant = std::function<void(Realization& realization)>;

// Plays the plan of `options.seed` in a world with these settings and judges what happened. On
// several nodes go wrong the faults of that seed, or those that are given.
Run run_seed(const sim::Options& options, Size size, const Plant& plant = {},
             const std::string& realization = "local:",
             const std::optional<sim::Faults>& faults = std::nullopt);

// The same in a world that is there already.
Run run_in(sim::World& world, const sim::Options& options, Size size, const Plant& plant = {},
           const std::string& realization = "local:",
           const std::optional<sim::Faults>& faults = std::nullopt);

// Which of the faults of a seed whose run went wrong suffice for that, by their places.
std::vector<std::size_t> faults_needed(const sim::Options& options, Size size,
                                       const std::string& realization, const Plant& plant = {});

// The settings of a campaign's seed: with one worker or two, with and without the transport.
sim::Options options_of(std::uint64_t seed);

// One line of a run that failed: its seed, what is wrong, and the command that repeats it.
std::string report(const Run& run, const std::string& command);

}  // namespace coracle::contract
