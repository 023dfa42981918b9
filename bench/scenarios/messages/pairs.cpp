// Many pairs at full load (harness/load/loading.hpp), or at a rate that is offered.
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/load/loading.hpp"
#include "harness/load/open_loop.hpp"
#include "scenarios/scenarios.hpp"

#include <algorithm>

namespace coracle::bench {

namespace {

Pair placement(const Options& options, std::uint32_t number) {
  const unsigned home = number % options.workers;
  return {home, options.apart ? (home + 1) % options.workers : home};
}

Run floor_once(const Options& options, std::uint32_t pairs) {
  const double interval = options.interval(0.05, 0.3);
  if (options.processes > 1) {
    return floor_socket_load(socket_of(options.realization), options.size,
                             std::min(pairs, most_socket_pairs), false, interval);
  }
  if (!options.apart) return floor_call_pairs(pairs, options.workers, interval);
  Run run =
      floor_ring_round_trip(std::min<std::uint32_t>(pairs, 512), interval, options.pin ? 0 : -1);
  run.value = 2e9 / run.value;
  run.samples.clear();
  return run;
}

}  // namespace

std::vector<Metric> run_pairs(const Options& options, Progress& progress) {
  const std::uint32_t pairs = options.pairs.value_or(options.quick ? 100 : 1000);
  Params params = {{"pairs", std::int64_t{pairs}},
                   {"workers", std::int64_t{options.workers}},
                   {"size", static_cast<std::int64_t>(options.size)}};
  if (options.apart) params.emplace_back("apart", std::int64_t{1});
  if (options.processes > 1) params.emplace_back("processes", std::int64_t{options.processes});
  if (options.rate) {
    std::vector<Pair> homes;
    for (std::uint32_t i = 0; i < pairs; ++i) homes.push_back(placement(options, i));
    return run_open_loop(options, params, homes);
  }

  LoadTable table;
  const auto play = [&] {
    table.add(run_one_load(options, {pairs}));
    return table.repeats().back().rate;
  };
  const auto runs =
      interleave(options, progress, {play, [&] { return floor_once(options, pairs); }});
  std::vector<Metric> metrics = beside_floor("rate", "messages/s", params, runs[0], runs[1]);
  metrics.push_back({"rtt", "ns", params, summarize(table.rtts()), {}});
  metrics.push_back({"fairness", "slowest/mean", params, table.fairness(), {}});
  return metrics;
}

}  // namespace coracle::bench
