// The most that one receiver can take, from one sender or from many; each message has a content of
// its own. The mailbox has its usual limits, so that the senders wait whenever it is full.
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/load/flooding.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/scenarios.hpp"

namespace coracle::bench {

namespace {

Run floor_once(const Options& options) {
  const double interval = options.interval(0.05, 0.3);
  if (options.processes > 1) {
    return floor_socket_flood(socket_of(options.realization), options.size, interval,
                              options.pin ? 0 : -1);
  }
  if (options.workers == 1) return floor_call_flood(options.senders, interval);
  return floor_ring_flood(interval, options.pin ? 0 : -1);
}

}  // namespace

std::vector<Metric> run_flood(const Options& options, Progress& progress) {
  Params params = {{"senders", std::int64_t{options.senders}},
                   {"workers", std::int64_t{options.workers}},
                   {"size", static_cast<std::int64_t>(options.size)}};
  if (options.processes > 1) params.emplace_back("processes", std::int64_t{options.processes});
  const auto runs =
      interleave(options, progress,
                 {[&] { return run_one_flood(options); }, [&] { return floor_once(options); }});
  return beside_floor("rate", "messages/s", params, runs[0], runs[1]);
}

}  // namespace coracle::bench
