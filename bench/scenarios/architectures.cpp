// The experiments of the original paper (its sections 3.1.4 to 3.1.7 and Table 8): the same test
// agent at every place of a graph, in this process or spread over several.
#include "architectures/graph.hpp"
#include "architectures/paper.hpp"
#include "architectures/test_agent.hpp"
#include "harness/compare.hpp"
#include "harness/failures.hpp"
#include "harness/forked.hpp"
#include "harness/meeting_place.hpp"
#include "harness/society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/typed.hpp>

#include <fmt/format.h>

#include <deque>
#include <memory>
#include <optional>

namespace coracle::bench {

namespace {

// What all agents of one run have seen.
struct Findings {
  std::array<std::vector<double>, bonds> averages;  // of each end of each connection
  std::array<Average, tenths> progress;
  std::uint64_t round_trips = 0;
  Duration passed{};

  void add(const Experience& seen) {
    for (std::size_t i = 0; i < seen.averages.size(); ++i) {
      averages.at(seen.kinds.at(i)).push_back(seen.averages[i]);
    }
    for (std::size_t i = 0; i < tenths; ++i) progress[i].add(seen.progress.at(i));
    round_trips += seen.round_trips;
  }
};

// Hears from every agent what it has seen.
class Observer : public Player {
 public:
  Observer(Findings& findings, std::size_t agents) : findings_(findings), agents_(agents) {}

 protected:
  Task<> play() override {
    const Time begin = clock_now();
    for (std::size_t i = 0; i < agents_; ++i) {
      const Message message = co_await receive();
      findings_.add(message.content().as<Experience>());
    }
    findings_.passed = clock_now() - begin;
  }

 private:
  Findings& findings_;
  std::size_t agents_;
};

// Every process has the agents whose number, divided by the processes, leaves its own.
void add_agents(Node& node, const Options& options, const Errand& errand, unsigned process) {
  const auto agents = static_cast<std::uint32_t>(errand.graph->agents());
  for (std::uint32_t i = process; i < agents; i += options.processes) {
    node.adopt(placed(place_name(i), i / options.processes % options.workers),
               std::make_unique<TestAgent>(errand, i));
  }
}

// The part of another process.
void take_part(const Options& options, Errand errand, unsigned process) {
  std::atomic<std::uint64_t> sent{0};
  errand.sent = &sent;
  Society society(options);
  add_agents(society.node(), options, errand, process);
  society.wait();
  society.stop({.sent = sent, .received = society.node().ledger().received});
}

// Whether its nodes find each other by a service, even when there is one.
bool has_service(const Options& options) {
  return options.realization.starts_with("distributed") ||
         options.realization.starts_with("central");
}

Findings exchange_once(const Options& options, Errand errand) {
  Findings findings;
  std::optional<MeetingPlace> place;
  std::deque<Partner> partners;
  Options here = options;
  if (has_service(options)) {
    here = place.emplace().here(options);
    for (unsigned process = 1; process < options.processes; ++process) {
      partners.emplace_back([&] {
        place->enter(here);
        take_part(here, errand, process);
      });
    }
    place->serve(here);
  }
  std::atomic<std::uint64_t> sent{0};
  errand.sent = &sent;
  Society society(here);
  society.node().adopt(placed(std::string(observer), 0),
                       std::make_unique<Observer>(findings, errand.graph->agents()));
  add_agents(society.node(), here, errand, 0);
  society.wait();
  for (Partner& each : partners) each.wait();
  society.stop({.sent = sent, .received = society.node().ledger().received});
  const std::uint64_t expected = 2 * errand.graph->connections() * errand.messages;
  if (findings.round_trips != expected) {
    throw NotDone(
        fmt::format("{} round trips were measured instead of {}", findings.round_trips, expected));
  }
  return findings;
}

Run averaged(const std::vector<double>& samples) {
  Average all;
  for (const double each : samples) all.add(each);
  return {all.value(), samples, samples.size()};
}

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
               {"processes", std::int64_t{options.processes}},
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
    // An original and its answer.
    const double seconds = nanoseconds(found.passed) / 1e9;
    rate_.push_back({2 * static_cast<double>(found.round_trips) / seconds, {}, found.round_trips});
  }

  // `paper` are further figures, such as those of the paper.
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

// What stays the same in all experiments of a scenario.
struct Experiment {
  std::string_view architecture;
  Make make;
  std::vector<std::string> shapes;  // when none were asked for
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
  return measure_all(options, progress,
                     {"reads", fully_connected, {"3", "6", "10"}, {false, true}});
}

}  // namespace coracle::bench
