// The experiments of the original paper (its sections 3.1.4 to 3.1.7 and Table 8): the same test
// agent at every place of a graph, in this process or spread over several.
#include "architectures/graph.hpp"
#include "architectures/lan.hpp"
#include "architectures/paper.hpp"
#include "architectures/running.hpp"
#include "harness/figures/compare.hpp"
#include "harness/run/variants.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

namespace coracle::bench {

namespace {

// The metrics of one graph at one delay.
class Table {
 public:
  Table(const Options& options, const Errand& errand) {
    const Graph& graph = *errand.graph;
    params_ = {{"shape", graph.shape},
               {"agents", static_cast<std::int64_t>(graph.agents())},
               {"connections", static_cast<std::int64_t>(graph.connections())},
               {"delay_ms", static_cast<std::int64_t>(errand.delay / std::chrono::milliseconds(1))},
               {"messages", std::int64_t{errand.messages}},
               {options.lan ? "hosts" : "processes",
                std::int64_t{options.lan ? options.lan->hosts() : options.processes}},
               {"workers", std::int64_t{options.workers}}};
  }

  void add(const Findings& found) {
    std::vector<double> all;
    for (std::size_t bond = 0; bond < bonds; ++bond) {
      const std::vector<double>& samples = found.averages[bond];
      if (!samples.empty()) by_bond_[bond].push_back(averaged(samples));
      all.insert(all.end(), samples.begin(), samples.end());
    }
    all_.push_back(averaged(all));
    for (std::size_t i = 0; i < tenths; ++i) progress_[i].add(found.progress[i].value());
    // One original and its answer.
    const double seconds = nanoseconds(found.passed) / 1e9;
    rate_.push_back({2 * static_cast<double>(found.round_trips) / seconds, {}, found.round_trips});
  }

  // `paper` gives further figures, such as those of the paper.
  std::vector<Metric> metrics(const std::string& kind, const Paper& paper) const {
    std::vector<Metric> made;
    Metric rtt{"rtt", "ns", with("kind", kind), summarize(all_), {}};
    for (std::size_t i = 0; i < tenths; ++i) {
      rtt.more.emplace_back(fmt::format("tenth_{}", i + 1), progress_[i].value());
    }
    if (paper.central > 0) rtt.more.emplace_back("paper_central_ms", paper.central);
    if (paper.distributed > 0) rtt.more.emplace_back("paper_distributed_ms", paper.distributed);
    made.push_back(std::move(rtt));
    for (std::size_t bond = 0; bond < bonds; ++bond) {
      const std::vector<Run>& runs = by_bond_[bond];
      if (runs.empty() || runs.front().n == all_.front().n) continue;
      const std::string which(to_string(static_cast<Bond>(bond)));
      made.push_back({"rtt", "ns", with("kind", which), summarize(runs), {}});
    }
    made.push_back({"rate", "messages/s", with("kind", kind), summarize(rate_), {}});
    return made;
  }

 private:
  Params with(const char* name, const std::string& value) const {
    Params params = params_;
    params.insert(params.begin() + 1, {name, value});
    return params;
  }

  Params params_;
  std::array<std::vector<Run>, bonds> by_bond_;
  std::vector<Run> all_;
  std::vector<Run> rate_;
  std::array<Average, tenths> progress_;
};

using Make = Graph (*)(std::string_view shape);

// The constants of all experiments of a scenario.
struct Experiment {
  std::string_view architecture;
  Make make;
  std::vector<std::string> shapes;  // used when none were requested
  std::vector<bool> anywhere = {false};
};

std::uint32_t messages_of(const Options& options, Duration delay) {
  if (options.messages) return *options.messages;
  if (delay > Duration()) return options.quick ? 1 : 10;
  return options.quick ? 10 : 1000;
}

void measure(const Options& options, Progress& progress, const Experiment& experiment,
             const Graph& graph, std::uint32_t delay_ms, std::vector<Metric>& metrics) {
  for (const bool anywhere : experiment.anywhere) {
    Errand errand;
    errand.graph = &graph;
    errand.make = experiment.architecture;
    errand.delay = std::chrono::milliseconds(delay_ms);
    errand.messages = messages_of(options, errand.delay);
    errand.anywhere = anywhere;
    errand.size = options.size;
    Table table(options, errand);
    for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
      progress.step(fmt::format("{} at {} ms, repeat {}/{}", graph.shape, delay_ms, repeat + 1,
                                options.repeats()));
      errand.seed = repeat + 1;
      table.add(exchange_once(options, errand));
    }
    const bool is_compared = experiment.anywhere.size() > 1;
    const char* kind = !is_compared ? "all" : anywhere ? "anywhere" : "directed";
    const Paper paper = paper_says(experiment.architecture, graph.shape, delay_ms, anywhere);
    for (Metric& each : table.metrics(kind, paper)) metrics.push_back(std::move(each));
  }
}

std::vector<Metric> measure_all(const Options& options, Progress& progress,
                                const Experiment& experiment) {
  std::vector<Graph> graphs;
  const std::vector<std::string> quick = {experiment.shapes.front()};
  const auto& wanted = !options.shapes.empty() ? options.shapes
                       : options.quick         ? quick
                                               : experiment.shapes;
  for (const std::string& shape : wanted) graphs.push_back(experiment.make(shape));
  std::vector<Metric> metrics;
  for (const std::uint32_t delay : options.delays) {
    for (const Graph& graph : graphs) measure(options, progress, experiment, graph, delay, metrics);
  }
  return metrics;
}

}  // namespace

std::vector<Metric> run_full(const Options& options, Progress& progress) {
  return measure_all(options, progress, {"full", fully_connected, {"3", "6", "10"}});
}

std::vector<Metric> run_groups(const Options& options, Progress& progress) {
  return measure_all(
      options, progress,
      {"council", council_of_groups, {"3-3", "3-6", "3-9", "6-3", "6-6", "6-9", "9-3"}});
}

std::vector<Metric> run_tree(const Options& options, Progress& progress) {
  return measure_all(options, progress, {"tree", tree, {"3-2", "3-3", "3-4", "4-2", "4-3", "5-2"}});
}

std::vector<Metric> run_reads(const Options& options, Progress& progress) {
  // Deliveries exist only between processes, and a society of one's own only on this host.
  const bool is_apart = options.processes > 1 && !options.lan && options.record.empty();
  std::vector<Metric> metrics;
  for (const Variant& variant : is_apart ? delivery_variants(options.realization)
                                         : std::vector<Variant>{{options.realization}}) {
    Options changed = options;
    changed.realization = variant.realization;
    for (Metric& each : measure_all(changed, progress,
                                    {"reads", fully_connected, {"3", "6", "10"}, {false, true}})) {
      each.realization = variant.realization;
      metrics.push_back(std::move(each));
    }
  }
  return metrics;
}

}  // namespace coracle::bench
