// Playing the same society under many seeds.
#pragma once

#include "coracle/realizations/sim.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coracle::testing {

// Which seeds are played, and in what worlds.
struct Seeds {
  std::uint64_t count = 1000;
  // The seed is set for each world; Options::seed is the first.
  sim::Options world = {};
};

// A seed under which something is wrong.
struct Finding {
  std::uint64_t seed = 0;
  // What was thrown; of a Failure, in brief.
  std::string what;
  // How many choices the run had.
  std::size_t choices = 0;
  // Choices that suffice (World::shrink), and how many of them are not the plainest.
  std::vector<unsigned> shortest;
  std::size_t surprises = 0;
  // The faults that suffice, of those that the play was to suffer.
  sim::Faults faults;
  // What happens then, when only those choices are made: one line for each event.
  std::string trace;

  // For people: what, the seed, and the command that repeats it.
  std::string to_string() const;
};

// Plays one seed after the other until `play` throws; nothing when it never does. When CORACLE_SEED
// is set, plays that seed alone.
std::optional<Finding> first_finding(const sim::World::Play& play, Seeds seeds = {});

// The same, and throws a Failure that says what was found.
void for_each_seed(const sim::World::Play& play, Seeds seeds = {});

// The same with faults that the seed makes: ways that are cut, hosts that pause or crash (not host
// 0). The play has its Society suffer() them, in a world of at least two hosts
// (Seeds::world.nodes).
std::optional<Finding> first_finding(const sim::World::SufferingPlay& play, Seeds seeds);
// Likewise.
void for_each_seed(const sim::World::SufferingPlay& play, Seeds seeds);

// The last things that happened by a trace, as a test's author knows them: who begins, sends, gets,
// reads and ends, and which faults there were, one line each.
std::string story_of(const std::string& trace, std::size_t lines);

// How this program was called, quoted for a shell; what CORACLE_SEED=N is written in front of.
std::string own_command();

}  // namespace coracle::testing
