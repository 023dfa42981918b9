// Table 9 and Figure 22 of the original paper: several realizations in turn, each agent in a
// process of its own, reading the message that came first; and the load at which each of them is
// overloaded. A clearinghouse is also measured in the ways that the paper gives as reasons for its
// slowness.
#include "harness/figures/compare.hpp"
#include "architectures/graph.hpp"
#include "architectures/paper.hpp"
#include "architectures/running.hpp"
#include "harness/run/variants.hpp"
#include "scenarios/messages/overload.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

namespace coracle::bench {

namespace {

// In FIELD, each agent gave patterns of the messages it wanted; these patterns match nothing that
// is sent.
constexpr std::uint32_t patterns_each = 100;

Errand errand_of(const Options& options, const Graph& graph, unsigned repeat) {
  Errand errand;
  errand.graph = &graph;
  errand.messages = options.messages.value_or(options.quick ? 10 : 100);
  errand.anywhere = true;
  errand.size = options.size;
  errand.seed = repeat + 1;
  errand.patterns = options.patterns;
  return errand;
}

std::vector<double> values_of(const std::vector<Run>& runs) {
  std::vector<double> values;
  for (const Run& run : runs) values.push_back(run.value);
  return values;
}

// Reports each realization's number, and its ratio to the first one's; with the probability that
// they are equal.
void report(const Graph& graph, const std::vector<Options>& each,
            const std::vector<std::vector<Run>>& runs, std::vector<Metric>& metrics) {
  const Paper paper = paper_says("reads", graph.shape, 0, true);
  const OtherFrameworks others = frameworks_say(graph.shape);
  for (std::size_t i = 0; i < each.size(); ++i) {
    Params params = {{"shape", graph.shape},
                     {"agents", static_cast<std::int64_t>(graph.agents())},
                     {"processes", std::int64_t{each[i].processes}}};
    if (each[i].patterns != 0) params.emplace_back("patterns", std::int64_t{each[i].patterns});
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

// The realization as it is comes first.
std::vector<Variant> variants_of(const std::string& realization) {
  std::vector<Variant> all = delivery_variants(realization);
  for (Variant& each : matching_variants(realization, patterns_each)) {
    all.push_back(std::move(each));
  }
  return all;
}

std::vector<Options> participants(const Options& options, const Graph& graph) {
  std::vector<Options> each;
  for (const std::string& realization : options.realizations) {
    for (const Variant& variant : variants_of(realization)) {
      each.push_back(options);
      each.back().realization = variant.realization;
      each.back().patterns = variant.patterns;
      const bool is_local = realization.starts_with("local");
      each.back().processes = is_local ? 1 : static_cast<unsigned>(graph.agents());
    }
  }
  return each;
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
    const std::vector<Options> each = participants(options, graph);
    std::vector<std::vector<Run>> runs(each.size());
    for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
      for (std::size_t i = 0; i < each.size(); ++i) {
        progress.step(fmt::format("{} on {}, repeat {}/{}", shape, each[i].realization, repeat + 1,
                                  options.repeats()));
        const Findings found = exchange_once(each[i], errand_of(each[i], graph, repeat));
        runs[i].push_back(averaged(found.averages[0]));
      }
    }
    report(graph, each, runs, metrics);
  }
  for (const std::string& realization : options.realizations)
    measure_overload(options, variants_of(realization), progress, metrics);
  return metrics;
}

}  // namespace coracle::bench
