// Table 9 and Figure 22 of the original paper: several realizations in turn, each agent in a
// process of its own, reading whatever came first; and where each of them is overloaded.
#include "harness/compare.hpp"
#include "architectures/graph.hpp"
#include "architectures/paper.hpp"
#include "architectures/running.hpp"
#include "harness/failures.hpp"
#include "harness/loading.hpp"
#include "harness/open_loop.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::bench {

namespace {

// What was offered, and what became of it.
struct Step {
  double share = 0;  // of what the closed loop reached
  double offered = 0;
  double reached = 0;  // round trips per second
  double p50 = 0;
  double p99 = 0;
};

Step offer(const Options& options, double share, double capacity, std::uint32_t pairs) {
  Options open = options;
  open.rate = std::max(share * capacity, static_cast<double>(pairs));
  open.repeat = 1;
  open.seconds = options.interval(0.1, 1);
  const std::vector<Metric> found = run_open_loop(open, {}, std::vector<Pair>(pairs));
  const Summary& rtt = found.at(0).summary;
  return {share, *open.rate, found.at(1).summary.value / 2, rtt.p50, rtt.p99};
}

// More and more is offered by 16 pairs, until it is more than what they reach when each waits for
// its answer. The knee is the most for which the slowest hundredth takes at most ten times as long
// as at the least.
void measure_knee(const Options& given, Progress& progress, std::vector<Metric>& metrics) {
  constexpr std::uint32_t pairs = 16;
  Options options = given;
  options.processes = given.realization.starts_with("local") ? 1 : 2;
  options.seconds = given.interval(0.05, 0.3);
  const double capacity = run_one_load(options, {pairs}).rate.value / 2;
  options.seconds = given.seconds;
  std::vector<double> shares = {0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 1.0, 1.2};
  if (given.quick) shares = {0.1, 0.5, 1.2};
  std::vector<Step> steps;
  for (const double share : shares) {
    progress.step(fmt::format("{}, {} of its capacity offered", given.realization, share));
    steps.push_back(offer(options, share, capacity, pairs));
    const Step& step = steps.back();
    const Params params = {{"of_capacity", share}, {"pairs", std::int64_t{pairs}}};
    Metric latency{"latency", "ns", params, summarize({step.p50}, 1), {}, given.realization};
    latency.summary.p99 = step.p99;
    latency.more = {{"offered", step.offered}, {"reached", step.reached}};
    metrics.push_back(std::move(latency));
  }
  double knee = 0;
  for (const Step& step : steps) {
    if (step.p99 > 10 * steps.front().p99 || step.reached < 0.95 * step.offered) break;
    knee = step.offered;
  }
  metrics.push_back({"knee",
                     "pings/s",
                     {{"pairs", std::int64_t{pairs}}},
                     summarize({knee}, steps.size()),
                     {{"capacity", capacity}, {"of_capacity", knee / capacity}},
                     given.realization});
}

Errand errand_of(const Options& options, const Graph& graph, unsigned repeat) {
  Errand errand;
  errand.graph = &graph;
  errand.messages = options.messages.value_or(options.quick ? 10 : 300);
  errand.anywhere = true;
  errand.size = options.size;
  errand.seed = repeat + 1;
  return errand;
}

std::vector<double> values_of(const std::vector<Run>& runs) {
  std::vector<double> values;
  for (const Run& run : runs) values.push_back(run.value);
  return values;
}

// Each realization's number, and what it is of the first one's; with the probability that they are
// the same.
void report(const Graph& graph, const std::vector<Options>& each,
            const std::vector<std::vector<Run>>& runs, std::vector<Metric>& metrics) {
  const Paper paper = paper_says("reads", graph.shape, 0, true);
  const OtherFrameworks others = frameworks_say(graph.shape);
  for (std::size_t i = 0; i < each.size(); ++i) {
    const Params params = {{"shape", graph.shape},
                           {"agents", static_cast<std::int64_t>(graph.agents())},
                           {"processes", std::int64_t{each[i].processes}}};
    Metric rtt{"rtt", "ns", params, summarize(runs[i]), {}, each[i].realization};
    if (paper.central > 0) {
      rtt.more = {{"paper_central_ms", paper.central},
                  {"paper_distributed_ms", paper.distributed},
                  {"paper_tooltalk_ms", others.tooltalk},
                  {"paper_field_ms", others.field}};
    }
    metrics.push_back(std::move(rtt));
    if (i == 0) continue;
    Params compared = params;
    compared.emplace_back("to", each[0].realization);
    metrics.push_back({"ratio_to_first",
                       "x",
                       compared,
                       ratio(runs[i], runs[0]),
                       {{"p_same", welch(values_of(runs[i]), values_of(runs[0]))}},
                       each[i].realization});
  }
}

}  // namespace

std::vector<Metric> run_compare(const Options& options, Progress& progress) {
  std::vector<std::string> shapes = options.shapes;
  if (shapes.empty())
    shapes =
        options.quick ? std::vector<std::string>{"3"} : std::vector<std::string>{"3", "6", "10"};
  std::vector<Metric> metrics;
  for (const std::string& shape : shapes) {
    const Graph graph = fully_connected(shape);
    std::vector<Options> each;
    for (const std::string& realization : options.realizations) {
      each.push_back(options);
      each.back().realization = realization;
      const bool is_local = realization.starts_with("local");
      each.back().processes = is_local ? 1 : static_cast<unsigned>(graph.agents());
    }
    std::vector<std::vector<Run>> runs(each.size());
    for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
      for (std::size_t i = 0; i < each.size(); ++i) {
        progress.step(fmt::format("{} on {}, repeat {}/{}", shape, each[i].realization, repeat + 1,
                                  options.repeats()));
        const Findings found = exchange_once(each[i], errand_of(options, graph, repeat));
        runs[i].push_back(averaged(found.averages[0]));
      }
    }
    report(graph, each, runs, metrics);
  }
  for (const std::string& realization : options.realizations) {
    Options one = options;
    one.realization = realization;
    measure_knee(one, progress, metrics);
  }
  return metrics;
}

}  // namespace coracle::bench
