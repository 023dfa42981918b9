#include "coracle/testing/seeds.hpp"

#include "coracle/testing/failure.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace coracle::testing {

namespace {

constexpr std::size_t lines_shown = 20;

// Quotes a word for a shell where that is needed.
std::string quoted(const std::string& word) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@+%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char letter : word) {
    if (letter == '\'') text += "'\\''";
    else text += letter;
  }
  return text + "'";
}

std::string message_of(const sim::World::Play& play, sim::World& world) {
  try {
    play(world);
  } catch (const Failure& failure) {
    return failure.brief();
  } catch (const std::exception& error) {
    return *error.what() != '\0' ? error.what() : "an exception without a text";
  }
  return {};
}

// Faults are no part of some plays.
sim::World::Play with_faults(const sim::World::SufferingPlay& play, const sim::Faults& faults) {
  return [&play, &faults](sim::World& world) { play(world, faults); };
}

// The finding of one seed; nothing when the play does not fail.
std::optional<Finding> finding_of(const sim::World::SufferingPlay& play,
                                  const sim::Options& options, const sim::Faults& faults) {
  Finding found;
  found.seed = options.seed;
  const auto plays = [&play](const sim::Faults& suffered, sim::World& world) {
    return message_of(with_faults(play, suffered), world);
  };
  {
    sim::World world(options);
    found.what = plays(faults, world);
    if (found.what.empty()) return std::nullopt;
  }
  found.faults = sim::World::shrink(play, faults, options);
  sim::World world(options);
  found.what = plays(found.faults, world);
  found.choices = world.choices().size();
  const sim::World::Play fewer = with_faults(play, found.faults);
  found.shortest = sim::World::shrink(fewer, world.choices(), options);
  const auto plain = std::count(found.shortest.begin(), found.shortest.end(), 0U);
  found.surprises = found.shortest.size() - static_cast<std::size_t>(plain);
  sim::World again(options, sim::scripted(found.shortest));
  (void)plays(found.faults, again);
  found.trace = again.trace();
  return found;
}

}  // namespace

std::string own_command() {
  std::string command;
  std::ifstream own("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(own, word, '\0');) {
    command += (command.empty() ? "" : " ") + quoted(word);
  }
  return command;
}

std::string Finding::to_string() const {
  std::string text = "seed " + std::to_string(seed) + ": " + what + "\n" + std::to_string(choices) +
                     " choices led to it; " + std::to_string(surprises) +
                     " surprises suffice. Repeat it with\n  " +
                     "CORACLE_SEED=" + std::to_string(seed) + " " + own_command() + "\n";
  if (!faults.empty()) text += "these faults suffice:\n";
  for (const sim::Fault& fault : faults) text += "  " + sim::to_string(fault) + "\n";
  if (!trace.empty()) text += "the end of its shortest form:\n" + story_of(trace, lines_shown);
  return text;
}

static std::optional<Finding> first_of(const sim::World::SufferingPlay& play, const Seeds& seeds,
                                       bool suffers) {
  sim::Options options = seeds.world;
  options.record = true;
  const char* const asked = std::getenv("CORACLE_SEED");
  const std::uint64_t count = asked != nullptr && *asked != '\0' ? 1 : seeds.count;
  const std::uint64_t first = sim::seed_from_environment(options.seed);
  for (std::uint64_t number = 0; number < count; ++number) {
    options.seed = first + number;
    const sim::Faults faults =
        suffers ? sim::random_faults(options.seed, options.nodes) : sim::Faults();
    if (auto found = finding_of(play, options, faults)) return found;
  }
  return std::nullopt;
}

std::optional<Finding> first_finding(const sim::World::Play& play, Seeds seeds) {
  return first_of([&play](sim::World& world, const sim::Faults&) { play(world); }, seeds, false);
}

std::optional<Finding> first_finding(const sim::World::SufferingPlay& play, Seeds seeds) {
  if (seeds.world.nodes < 2)
    throw Error(Errc::bad_options, "Seeds::world.nodes is " + std::to_string(seeds.world.nodes) +
                                       ", and faults need several hosts; give at least 2");
  return first_of(play, seeds, true);
}

void for_each_seed(const sim::World::Play& play, Seeds seeds) {
  if (const auto found = first_finding(play, seeds)) throw Failure(found->to_string());
}

void for_each_seed(const sim::World::SufferingPlay& play, Seeds seeds) {
  if (const auto found = first_finding(play, seeds)) throw Failure(found->to_string());
}

}  // namespace coracle::testing
