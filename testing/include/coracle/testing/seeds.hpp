// Plays the same society under many seeds.
#pragma once

#include "coracle/realizations/sim.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coracle::testing {

// The seeds that are played, and the settings of their worlds.
struct Seeds {
  std::uint64_t count = 1000;
  // The seed is set for each world; Options::seed is the first seed.
  sim::Options world = {};
};

// A seed under which the play fails.
struct Finding {
  std::uint64_t seed = 0;
  // The text of the exception; for a Failure, in brief.
  std::string what;
  // The number of choices in the run.
  std::size_t choices = 0;
  // Choices that suffice (World::shrink), and the number of them that are not the plainest.
  std::vector<unsigned> shortest;
  std::size_t surprises = 0;
  // The faults that suffice, out of those that the play was given.
  sim::Faults faults;
  // The trace when only those choices are made: one line for each event.
  std::string trace;

  // A report for people: the text, the seed, and the command that repeats the run.
  std::string to_string() const;
};

// Plays one seed after the other until `play` throws; returns nothing when it never does. When
// CORACLE_SEED is set, plays that seed alone.
std::optional<Finding> first_finding(const sim::World::Play& play, Seeds seeds = {});

// The same, but throws a Failure with the finding.
void for_each_seed(const sim::World::Play& play, Seeds seeds = {});

// The same with faults that the seed makes: directions that are cut, hosts that pause or crash (not
// host 0). The play calls its Society's suffer() with them, in a world of at least two hosts
// (Seeds::world.nodes).
std::optional<Finding> first_finding(const sim::World::SufferingPlay& play, Seeds seeds);
// The same with faults, but throws a Failure with the finding.
void for_each_seed(const sim::World::SufferingPlay& play, Seeds seeds);

// The last events of a trace, in terms that a test's author knows: which agent begins, sends,
// receives, reads and ends, and which faults there were, one line each.
std::string story_of(const std::string& trace, std::size_t lines);

// The command line of this program, quoted for a shell; CORACLE_SEED=N is written in front of it.
std::string own_command();

}  // namespace coracle::testing
