// Generated cases of the control structures, in virtual time, with the required result of each
// case. The rules for it are written here a second time, independently of the library's code.
#pragma once

#include "nodes.hpp"
#include "workplace.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace coracle::dispel::test::oracles {

// The number of occurrences of each event: a campaign in which an event never occurred proves
// nothing about it.
using Counts = std::map<std::string, std::uint64_t>;

// Plays the case of that seed; returns the difference from the required result, or nothing.
using Play = std::string (*)(std::uint64_t seed, Counts& counts);

// Tasks that kill: a task is given up exactly when it has killed Division::attempts slaves that had
// no other task; no other task is named, and each other task is done once.
std::string play_labour(std::uint64_t seed, Counts& counts);
// A stream that fails at an item: sinks take exactly the items before it, in order, and are
// notified.
std::string play_pipeline(std::uint64_t seed, Counts& counts);
// Requests with deadlines at a server with little room: no request is served after its deadline,
// its client receives the expiry, and a request of a higher lane is served first.
std::string play_deadlines(std::uint64_t seed, Counts& counts);

inline sim::Options world_of_case(std::uint64_t seed, unsigned nodes) {
  sim::Options options;
  options.seed = seed;
  options.nodes = nodes;
  options.workers = nodes > 1 ? 0 : 1 + seed % 2;
  return options;
}

// Runs `body` as the agent "main" of a society in that world; returns the error that it threw, or
// nothing.
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
