// The cost of a council's rules: from ballots to winners, checks included. The floor looks once at
// each place of each ballot.
#include "harness/figures/compare.hpp"
#include "harness/figures/timing.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/caf/voting/rule.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace coracle::bench {

namespace {

struct Poll {
  const char* rule;
  std::uint32_t candidates;
  std::uint32_t ballots;
};

constexpr Poll polls[] = {{"schulze", 100, 10'000},
                          {"ranked_pairs", 100, 10'000},
                          {"kemeny", 15, 10'000},
                          {"stv:1", 10, 100'000}};

// Random rankings of all candidates, except that most ballots put the last candidate first: so the
// winner by any rule is known.
std::vector<caf::Ballot> cast(const Poll& poll) {
  std::mt19937_64 chance(1);
  std::vector<caf::Candidate> ranking(poll.candidates);
  std::iota(ranking.begin(), ranking.end(), 0);
  std::vector<caf::Ballot> ballots;
  for (std::uint32_t i = 0; i < poll.ballots; ++i) {
    std::shuffle(ranking.begin(), ranking.end(), chance);
    if (i % 5 < 3) {
      const auto favourite = std::find(ranking.begin(), ranking.end(), poll.candidates - 1);
      std::iter_swap(ranking.begin(), favourite);
    }
    ballots.push_back(caf::rank(ranking));
  }
  return ballots;
}

Run count_once(const Poll& poll, const caf::Rule& rule, std::vector<caf::Ballot> ballots) {
  const Time start = clock_now();
  const caf::Profile profile(poll.candidates, std::move(ballots));
  const caf::Tally tally = rule.count(profile);
  Run run;
  run.value = nanoseconds(clock_now() - start) / 1e6;
  run.n = poll.ballots;
  if (tally.co_winners != std::vector<caf::Candidate>{poll.candidates - 1}) {
    throw NotDone(std::string(poll.rule) + " has elected somebody else");
  }
  return run;
}

Run read_once(const Poll& poll, const std::vector<caf::Ballot>& ballots) {
  const Time start = clock_now();
  std::uint64_t sum = 0;
  for (const caf::Ballot& ballot : ballots) {
    for (const caf::Candidate each : ballot.ranking) sum += each;
  }
  Run run;
  run.value = nanoseconds(clock_now() - start) / 1e6;
  run.n = poll.ballots;
  const std::uint64_t each = std::uint64_t{poll.candidates} * (poll.candidates - 1) / 2;
  if (sum != each * poll.ballots) throw NotDone("a ballot is not what it should be");
  return run;
}

}  // namespace

std::vector<Metric> run_rules(const Options& options, Progress& progress) {
  std::vector<Metric> metrics;
  for (Poll poll : polls) {
    if (options.quick) poll.ballots /= 10;
    const caf::Rule rule = caf::Rule::named(poll.rule).value();
    const std::vector<caf::Ballot> ballots = cast(poll);
    const auto runs = interleave(options, progress,
                                 {[&] { return count_once(poll, rule, ballots); },
                                  [&] { return read_once(poll, ballots); }});
    const Params params = {{"rule", std::string(poll.rule)},
                           {"candidates", std::int64_t{poll.candidates}},
                           {"ballots", std::int64_t{poll.ballots}}};
    for (Metric& each : beside_floor("count", "ms", params, runs[0], runs[1])) {
      metrics.push_back(std::move(each));
    }
  }
  return metrics;
}

}  // namespace coracle::bench
