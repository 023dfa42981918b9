// Generated cases of the control structures, in virtual time, and what must come of each of them by
// rules that are written down here once more, without a look at how the library does it.
#pragma once

#include "nodes.hpp"
#include "workplace.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace coracle::dispel::test::oracles {

// How often it happened that something was tried: a campaign in which it never did shows nothing.
using Counts = std::map<std::string, std::uint64_t>;

// Plays the case of that seed; the difference between what came and what must come, or nothing.
using Play = std::string (*)(std::uint64_t seed, Counts& counts);

// Tasks that kill: one is given up exactly when it has killed Division::attempts slaves that had
// nothing else, no other is named, and each other one is done once.
std::string play_labour(std::uint64_t seed, Counts& counts);
// A stream that fails at an item: sinks take exactly what comes before it, in order, and are told.
std::string play_pipeline(std::uint64_t seed, Counts& counts);
// Questions with deadlines before a server with little room: none is served after its time, its
// asker reads that it has expired, and one of a higher lane is served first.
std::string play_deadlines(std::uint64_t seed, Counts& counts);

inline sim::Options world_of_case(std::uint64_t seed, unsigned nodes) {
  sim::Options options;
  options.seed = seed;
  options.nodes = nodes;
  options.workers = nodes > 1 ? 0 : 1 + seed % 2;
  return options;
}

// Runs `body` as the agent "main" of a society in that world; what it threw, or nothing.
inline std::string run_in(sim::World& world, const Body& body) {
  try {
    Workplace place(coracle::test::nodes_of(world));
    place.run(body);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace coracle::dispel::test::oracles
