#include "coracle/testing/seeds.hpp"

#include "coracle/testing/failure.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <sstream>

namespace coracle::testing {

namespace {

constexpr std::size_t lines_shown = 20;

// Quoted for a shell where that is needed.
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

// The last of the lines that tell of an agent: "TIME wWORKER AGENT what", not of a choice.
std::string last_deeds(const std::string& trace) {
  std::deque<std::string> lines;
  std::istringstream all(trace);
  for (std::string line; std::getline(all, line);) {
    const std::size_t who = line.find(' ', line.find(' ') + 1);
    if (who == std::string::npos || line.compare(who, 3, " - ") == 0) continue;
    lines.push_back("  " + line + "\n");
    if (lines.size() > lines_shown) lines.pop_front();
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
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
  if (!trace.empty()) text += "the end of its shortest form:\n" + last_deeds(trace);
  return text;
}

std::optional<Finding> first_finding(const sim::World::Play& play, Seeds seeds) {
  sim::Options options = seeds.world;
  options.record = true;
  const char* const asked = std::getenv("CORACLE_SEED");
  if (asked != nullptr && *asked != '\0') seeds.count = 1;
  const std::uint64_t first = sim::seed_from_environment(options.seed);
  for (std::uint64_t number = 0; number < seeds.count; ++number) {
    options.seed = first + number;
    sim::World world(options);
    Finding found;
    found.what = message_of(play, world);
    if (found.what.empty()) continue;
    found.seed = options.seed;
    found.choices = world.choices().size();
    found.shortest = sim::World::shrink(play, world.choices(), options);
    const auto plain = std::count(found.shortest.begin(), found.shortest.end(), 0U);
    found.surprises = found.shortest.size() - static_cast<std::size_t>(plain);
    sim::World again(options, sim::scripted(found.shortest));
    (void)message_of(play, again);
    found.trace = again.trace();
    return found;
  }
  return std::nullopt;
}

void for_each_seed(const sim::World::Play& play, Seeds seeds) {
  if (const auto found = first_finding(play, seeds)) throw Failure(found->to_string());
}

}  // namespace coracle::testing
