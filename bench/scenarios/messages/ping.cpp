// The fourth paper's society of pings: one pair, many pairs on one worker, many on all processors;
// the point where the rate saturates, and whether all pairs get the same share. And the number of a
// host from which the rate can be predicted.
#include "floor/floors.hpp"
#include "harness/load/loading.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/host.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/scenarios.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include <sched.h>

namespace coracle::bench {

namespace {

// Binds this process, and the processes that it makes, to one processor for a while.
class OnOneProcessor {
 public:
  OnOneProcessor() {
    sched_getaffinity(0, sizeof(before_), &before_);
    bind_to_processor(0);
  }
  ~OnOneProcessor() { sched_setaffinity(0, sizeof(before_), &before_); }
  OnOneProcessor(const OnOneProcessor&) = delete;
  OnOneProcessor& operator=(const OnOneProcessor&) = delete;

 private:
  cpu_set_t before_{};
};

// A ping is two messages.
void halve(Run& messages) {
  messages.value /= 2;
  messages.n /= 2;
  for (double& each : messages.samples) each /= 2;
}

// The rates of a society with more and more pairs.
void measure_society(const Options& options, const std::string& kind, Progress& progress,
                     std::vector<Metric>& metrics) {
  std::vector<std::uint32_t> counts = {1, 2, 3, 4, 6, 8, 12, 16};
  if (options.quick) counts = {1, 4};
  std::vector<double> reached;
  for (const std::uint32_t pairs : counts) {
    progress.step(fmt::format("{}, {} pairs", kind, pairs));
    LoadTable table;
    for (unsigned i = 0; i < options.repeats(); ++i) table.add(run_one_load(options, {pairs}));
    const Params params = {{"society", kind},
                           {"pairs", std::int64_t{pairs}},
                           {"workers", std::int64_t{options.workers}},
                           {"processes", std::int64_t{options.processes}}};
    std::vector<Run> pings = table.rates();
    for (Run& each : pings) halve(each);
    metrics.push_back({"pings", "pings/s", params, summarize(pings), {}});
    metrics.push_back({"evenness", "slowest/fastest", params, table.evenness(), {}});
    reached.push_back(metrics[metrics.size() - 2].summary.value);
  }
  const double most = *std::max_element(reached.begin(), reached.end());
  const auto enough = std::find_if(reached.begin(), reached.end(),
                                   [most](double each) { return each >= 0.95 * most; });
  const double pairs = counts[static_cast<std::size_t>(enough - reached.begin())];
  metrics.push_back({"saturation",
                     "pairs",
                     {{"society", kind}},
                     summarize({pairs}, counts.size()),
                     {{"most", most}, {"most_to_one_pair", most / reached.front()}}});
}

// A smaller and smaller share of one processor, which 0, 1, 2, … other processes that are always
// busy share.
void measure_host_line(const Options& options, Progress& progress, std::vector<Metric>& metrics) {
  const OnOneProcessor bound;
  Options one = options;
  one.processes = 1;
  one.workers = 1;
  one.pin = false;
  std::vector<double> numbers;
  std::vector<double> pings;
  std::deque<Partner> busy;
  for (unsigned others = 0; others <= (options.quick ? 2U : 4U); ++others) {
    if (others > 0) {
      busy.emplace_back([] {
        for (;;) benchmark::ClobberMemory();
      });
    }
    for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
      progress.step(fmt::format("host number, {} others", others));
      const double interval = options.interval(0.1, 0.5);
      numbers.push_back(1e3 / floor_call_round_trip(interval).value);
      pings.push_back(run_one_load(one, {1}).rate.value / 2);
      const Params params = {{"busy_others", std::int64_t{others}}};
      metrics.push_back({"host_number", "Mcalls/s", params, summarize({numbers.back()}, 1), {}});
      metrics.push_back({"pings", "pings/s", params, summarize({pings.back()}, 1), {}});
    }
  }
  const Line line = fitted(numbers, pings);
  metrics.push_back({"host_line",
                     "pings/Mcall",
                     {},
                     summarize({line.slope}, numbers.size()),
                     {{"offset", line.offset}, {"r_squared", line.r_squared}}});
}

}  // namespace

std::vector<Metric> run_ping(const Options& given, Progress& progress) {
  std::vector<Metric> metrics;
  Options options = given;
  options.workers = 1;
  options.processes = 1;
  measure_society(options, "multiple", progress, metrics);
  if (cores() > 1) {
    options.workers = std::min(cores(), 64U);
    measure_society(options, "parallel", progress, metrics);
  }
  if (!given.realization.starts_with("local")) {
    options.workers = 1;
    options.processes = 2;
    measure_society(options, "two processes", progress, metrics);
  }
  measure_host_line(given, progress, metrics);
  return metrics;
}

}  // namespace coracle::bench
