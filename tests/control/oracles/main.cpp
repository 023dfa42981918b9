// coracle-oracles-dispel: plays generated cases of masters, pipelines and servers, and compares
// what comes of each with what must come; ends with 1 if any differs, after saying which seed and
// how to repeat it.
//
//   coracle-oracles-dispel --seeds 1000            so many cases of each subject
//   coracle-oracles-dispel --minutes 30            as many as fit into that time, all subjects in
//   turn coracle-oracles-dispel --subject labour        of one subject: labour, pipeline, deadlines
//   coracle-oracles-dispel --subject labour --seeds 1 --seed 17      one case
#include "oracles.hpp"
#include "support/seeds.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>

namespace coracle::dispel::test::oracles {

namespace {

struct Settings {
  std::uint64_t seeds = 100, begin = 1;
  double minutes = 0;
  std::vector<std::string> subjects = {"labour", "pipeline", "deadlines"};
};

struct Subject {
  std::string name;
  Play play;
  Counts counts = {};
  std::uint64_t played = 0, wrong = 0;
};

Subject subject_called(const std::string& name) {
  if (name == "labour") return {name, play_labour};
  if (name == "pipeline") return {name, play_pipeline};
  if (name == "deadlines") return {name, play_deadlines};
  throw CLI::ValidationError("'" + name + "' is no subject; there are labour, pipeline, deadlines");
}

constexpr std::uint64_t shown = 10;

void play(Subject& subject, std::uint64_t seed) {
  ++subject.played;
  const std::string wrong = subject.play(seed, subject.counts);
  if (wrong.empty() || ++subject.wrong > shown) return;
  fmt::print(
      "{}, seed {}: {}\nrepeat it with: coracle-oracles-dispel --subject {} --seeds 1 --seed {}\n",
      subject.name, seed, wrong, subject.name, seed);
  std::fflush(stdout);
}

int campaign(const Settings& settings) {
  std::vector<Subject> subjects;
  for (const std::string& each : settings.subjects) subjects.push_back(subject_called(each));
  const Clock& clock = steady_clock();
  const Time begin = clock.now();
  const auto is_over = [&](std::uint64_t seed) {
    if (settings.minutes <= 0) return seed >= settings.begin + settings.seeds;
    const Duration spent = clock.now() - begin;
    return std::chrono::duration<double, std::ratio<60>>(spent).count() >= settings.minutes;
  };
  for (std::uint64_t seed = settings.begin; !is_over(seed); ++seed) {
    for (Subject& each : subjects) play(each, seed);
  }
  std::uint64_t wrong = 0;
  for (const Subject& each : subjects) {
    fmt::print("{}: {} cases from seed {}, {} wrong", each.name, each.played, settings.begin,
               each.wrong);
    for (const auto& [what, count] : each.counts) fmt::print("; {} {}", count, what);
    fmt::print("\n");
    wrong += each.wrong;
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace

}  // namespace coracle::dispel::test::oracles

int main(int argc, char** argv) {
  namespace oracles = coracle::dispel::test::oracles;
  oracles::Settings settings;
  settings.seeds = coracle::test::seeds_to_play(100);
  settings.begin = coracle::sim::seed_from_environment(1);
  CLI::App app("Compares masters, pipelines and servers with what must come of them");
  app.add_option("--seeds", settings.seeds, "how many cases of each subject (CORACLE_SEEDS)");
  app.add_option("--seed", settings.begin, "the first (CORACLE_SEED)");
  app.add_option("--minutes", settings.minutes, "as many as fit into that time");
  app.add_option("--subject", settings.subjects, "labour, pipeline, deadlines")->delimiter(',');
  CLI11_PARSE(app, argc, argv);
  try {
    return oracles::campaign(settings);
  } catch (const CLI::Error& error) {
    return app.exit(error);
  }
}
