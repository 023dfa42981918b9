// One pair: a ping, its pong, the next ping. The result is the round trip of a closed loop, or with
// a rate the latency of an open loop.
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/load/open_loop.hpp"
#include "harness/load/pinging.hpp"
#include "scenarios/scenarios.hpp"

namespace coracle::bench {

namespace {

Run floor_once(const Options& options) {
  const double interval = options.interval(0.05, 0.3);
  if (options.processes > 1) {
    return floor_socket_round_trip(socket_of(options.realization), options.size, interval,
                                   options.pin ? 0 : -1);
  }
  if (options.workers == 1) return floor_call_round_trip(interval);
  return floor_ring_round_trip(1, interval, options.pin ? 0 : -1);
}

// The same directed read with waiting messages of others, and with none.
std::vector<Metric> measure_waiting(const Options& options, Progress& progress, Params params) {
  const auto runs = interleave(options, progress,
                               {[&] {
                                  return run_one_pingpong(options, {options.waiting, true});
                                },
                                [&] {
                                  return run_one_pingpong(options, {0, true});
                                }});
  Params none = params;
  none.emplace_back("waiting", std::int64_t{0});
  params.emplace_back("waiting", std::int64_t{options.waiting});
  return {{"rtt", "ns", params, summarize(runs[0]), {}},
          {"rtt", "ns", none, summarize(runs[1]), {}},
          {"ratio_to_none_waiting", "x", params, ratio(runs[0], runs[1]), {}}};
}

}  // namespace

std::vector<Metric> run_pingpong(const Options& options, Progress& progress) {
  Params params = {{"workers", std::int64_t{options.workers}},
                   {"size", static_cast<std::int64_t>(options.size)}};
  if (options.processes > 1) params.emplace_back("processes", std::int64_t{options.processes});
  if (options.rate) return run_open_loop(options, params, {{0, options.workers - 1}});
  if (options.waiting > 0) return measure_waiting(options, progress, params);

  const auto runs =
      interleave(options, progress,
                 {[&] { return run_one_pingpong(options); }, [&] { return floor_once(options); }});
  std::vector<Metric> metrics = beside_floor("rtt", "ns", params, runs[0], runs[1]);
  std::vector<double> rates;
  for (const Run& run : runs[0]) rates.push_back(2e9 / run.value);
  metrics.push_back({"rate", "messages/s", params, summarize(rates, metrics[0].summary.n * 2), {}});
  return metrics;
}

}  // namespace coracle::bench
