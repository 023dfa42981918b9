// coracle-oracles-dispel: plays generated cases of masters, pipelines or servers, and compares the
// result of each case with the required one. At the first difference it prints how to repeat the
// case, and exits with 1.
//
//   coracle-oracles-dispel labour               as many as CORACLE_ORACLE_SECONDS allows, from the
//                                               seed CORACLE_ORACLE_SEED on; or 300, from seed 1
//   coracle-oracles-dispel pipeline --seed 17   one case
#include "oracles.hpp"
#include "support/seeds.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>

namespace coracle::dispel::test::oracles {

namespace {

const std::map<std::string, Play> subjects = {
    {"labour", play_labour}, {"pipeline", play_pipeline}, {"deadlines", play_deadlines}};

// Returns whether the case has the required result.
bool holds(const std::string& subject, std::uint64_t seed, Counts& counts) {
  const std::string wrong = subjects.at(subject)(seed, counts);
  if (wrong.empty()) return true;
  fmt::print("{0}: seed {1}: a difference\n{2}\nagain: coracle-oracles-dispel {0} --seed {1}\n",
             subject, seed, wrong);
  return false;
}

int campaign(const std::string& subject) {
  coracle::test::Cases cases(1, 300);
  fmt::print("{}: seed {}\n", subject, cases.first());
  std::fflush(stdout);
  Counts counts;
  while (const std::optional<std::uint64_t> seed = cases.next()) {
    if (!holds(subject, *seed, counts)) return 1;
  }
  fmt::print("{}: {} cases, no difference", subject, cases.played());
  for (const auto& [what, count] : counts) fmt::print("; {} {}", count, what);
  fmt::print("\n");
  return 0;
}

}  // namespace

}  // namespace coracle::dispel::test::oracles

int main(int argc, char** argv) {
  namespace oracles = coracle::dispel::test::oracles;
  std::string subject;
  std::optional<std::uint64_t> seed;
  CLI::App app("Compares masters, pipelines and servers with what must come of them");
  app.add_option("subject", subject, "labour, pipeline or deadlines")
      ->required()
      ->check(CLI::IsMember(oracles::subjects));
  app.add_option("--seed", seed, "play this case alone");
  CLI11_PARSE(app, argc, argv);
  oracles::Counts counts;
  if (seed) return oracles::holds(subject, *seed, counts) ? 0 : 1;
  return oracles::campaign(subject);
}
