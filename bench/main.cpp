// coracle-bench: measures the exchange of messages between agents, and its cost beside the least
// possible cost. README.md in this folder explains each number and how to compare fairly.
#include "architectures/lan.hpp"
#include "harness/figures/report.hpp"
#include "harness/machines/host.hpp"
#include "harness/run/command.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coracle::bench {

namespace {

constexpr std::string_view three_realizations =
    "local:,distributed:listen=127.0.0.1:0,central://127.0.0.1:1";

constexpr std::string_view graph_options =
    "sizes --delay --messages --size --workers --processes --hosts --listen --place";

const Scenario scenarios[] = {
    {"pingpong", "one pair: the time of a round trip",
     "--workers --processes --size --waiting --rate --seconds", run_pingpong},
    {"pairs", "many pairs at full load: messages per second, and their fairness",
     "--pairs --workers --apart --processes --size --rate --seconds", run_pairs},
    {"flood", "one or many senders to one receiver: messages per second",
     "--senders --workers --processes --size --seconds", run_flood},
    {"agents", "a million idle agents: their memory, and agents made per second",
     "--count --workers", run_agents},
    {"cost", "the time that each promise adds to a message", "--workers --size --seconds",
     run_cost},
    {"council",
     "decisions of councils; of a shape such as 3-6: the paper's groups with councillors",
     "sizes --delay --messages --size --pairs --count --workers --processes --seconds --hosts "
     "--listen --place",
     run_council},
    {"rules", "voting rules: from ballots to winners", "", run_rules},
#ifdef CORACLE_HAS_ACL
    {"acl", "messages of FIPA: written and read again in each form", "--seconds", run_acl},
#endif
    {"contracts", "contract nets: per second with few bidders, and very many at once",
     "--pairs --count --workers --seconds", run_contracts},
    {"pipeline", "items through all stages of a pipeline: per second",
     "--stages --workers --processes --seconds", run_pipeline},
    {"clients", "clients of one server: answers per second, and the share of each",
     "--pairs --workers --seconds", run_clients},
    {"rpc", "remote calls: the time of one, and calls per second",
     "--workers --processes --seconds", run_rpc},
    {"slaves", "a master with a slave on each worker: the cost of a task, and the speed-up",
     "--workers --processes", run_slaves},
    {"subsume", "behaviours that could be suppressed: signals per second", "--count --seconds",
     run_subsume},
    {"tuples", "tuples put out and taken: by one agent, by many, beside very many others",
     "--pairs --count --workers --seconds", run_tuples},
    {"patterns", "broadcasts to many registered formats, of which one fits",
     "--count --workers --seconds", run_patterns},
    {"full", "the paper's test agents, each a neighbour of each: the time of a round trip",
     graph_options, run_full},
    {"tree", "the same agents in trees", graph_options, run_tree},
    {"reads", "the same agents, each a neighbour of each, reading from one or from anybody",
     graph_options, run_reads},
    {"overhead", "the cost of a write and a read, by part, beside dedicated implementations",
     "--size --seconds", run_overhead},
    {"parts", "processor time of messages, registrations and searches, by part of the system",
     "--pairs --count --size --seconds", run_parts},
    {"cpe", "a producer and a consumer: real, user and system time of a message",
     "--size --seconds --peers", run_cpe, three_realizations, true},
    {"compare", "the paper's agents on several realizations, and the load that each bears",
     "sizes --messages --size --seconds", run_compare, three_realizations, true},
    {"sizes", "pairs at full load, with larger and larger messages", "--pairs --workers --seconds",
     run_sizes},
    {"fan-in", "more and more senders that one receiver answers",
     "sizes --size --workers --seconds", run_fan_in},
    {"bound", "more and more pairs, beside as many pairs of processes with plain sockets",
     "sizes --size --workers --seconds", run_bound},
    {"nodes", "more and more processes, each linked to each: the cost of a message",
     "sizes --messages --size", run_nodes, "distributed:"},
    {"couples", "more and more couples, and the growth of their round trip",
     "sizes --workers --seconds", run_couples},
    {"occupancy", "bytes on the wire for each message, and share of a link",
     "sizes --size --workers --seconds", run_occupancy, "distributed:listen=127.0.0.1:0"},
    {"ping", "pings of one pair, many, many on all processors; the number of the host",
     "--size --seconds", run_ping},
    {"directory", "registration and search against the number that is registered",
     "--count --seconds", run_directory},
    {"clearinghouse", "the cost of each option of the clearinghouse", "--seconds",
     run_clearinghouse, "central://127.0.0.1:1"},
    {"overheard", "conversations at a pace, and a tap on all of them",
     "--pairs --rate --size --seconds", run_overheard, "distributed:"},
    {"idle", "the load of idle agents on their clearinghouse", "--count --seconds", run_idle,
     "central://127.0.0.1:1"},
    {"quiet", "many nodes that have nothing to do, and the loss of half of them",
     "--count --seconds", run_quiet, "distributed:"},
    {"durable", "messages that are on the server's disk before their senders are notified",
     "--pairs --size --seconds", run_durable, "central://127.0.0.1:1"},
    {"turns", "round trips between two processes, idle and beside a message of 1 GiB",
     "--size --workers --seconds", run_turns, "distributed:,distributed:listen=127.0.0.1:0"},
    {"memory", "the memory of a process, a node and idle agents", "--count --workers", run_memory},
    {"peers", "other systems at the same work, in turn with ours, between two processes",
     "--systems --peers --size --seconds", run_peers, "distributed:listen=127.0.0.1:0"},
    {"bindings", "societies in C, Python, Scheme and Common Lisp, beside what is usual there",
     "--size --seconds", run_bindings, "local:"},
#ifdef CORACLE_HAS_GATEWAYS
    {"http", "requests to a server of HTTP: the time of one, and per second", "--size --seconds",
     run_http, "local:"},
#endif
#ifdef CORACLE_HAS_GATEWAYS
    {"gateway", "agents behind servers of MCP and A2A, beside fastmcp's and a2a-sdk's own servers",
     "--size --seconds --peers", run_gateway, "local:"},
#endif
#ifdef CORACLE_HAS_FIPA
    {"mtp", "couples of agents on two platforms of FIPA: the time of a round trip",
     "sizes --seconds", run_mtp, "local:"},
#endif
#ifdef CORACLE_HAS_IIOP
    {"iiop", "a couple of agents on two platforms of FIPA, by IIOP, beside a call of omniORB",
     "--seconds", run_iiop, "local:"},
#endif
    {"worker", "takes part in the measurement of another host (see --hosts)",
     "--join --listen --workers", run_worker, "distributed:"},
    {"floor", "the limits of the machine, without the library", "--size --seconds", run_floor},
};

// The forms in which `all` runs a scenario: the differences from the default.
struct Form {
  std::string_view scenario;
  std::function<void(Options&)> change;
};

std::vector<Form> forms() {
  const auto same = [](Options&) {};
  const auto two_workers = [](Options& options) { options.workers = 2; };
  const auto apart = [](Options& options) { options.workers = 2, options.apart = true; };
  const auto waiting = [](Options& options) { options.waiting = 1000; };
  const auto many = [](Options& options) { options.senders = 100; };
  const auto groups = [](Options& options) { options.shapes = {"3-3"}; };
  return {{"agents", same},        {"pingpong", same},   {"pingpong", two_workers},
          {"pingpong", waiting},   {"pairs", same},      {"pairs", two_workers},
          {"pairs", apart},        {"flood", same},      {"flood", two_workers},
          {"flood", many},         {"cost", same},       {"council", same},
          {"contracts", same},     {"pipeline", same},   {"clients", same},
          {"rpc", same},           {"rpc", two_workers}, {"slaves", same},
          {"slaves", two_workers}, {"subsume", same},    {"tuples", same},
          {"patterns", same},      {"full", same},       {"council", groups},
          {"tree", same},          {"reads", same},      {"overhead", same},
          {"cpe", same},           {"compare", same},    {"sizes", same},
          {"fan-in", same},        {"bound", same},      {"couples", same},
          {"ping", same},          {"directory", same},  {"memory", same},
          {"rules", same},         {"acl", same},        {"floor", same}};
}

void measure(const Scenario& scenario, const Options& options, Progress& progress,
             std::vector<Record>& records) {
  progress.begin(fmt::format("{} on {}", scenario.name, options.realization));
  try {
    for (Metric& metric : scenario.measure(options, progress)) {
      const std::string& own = metric.realization;
      const std::string realization = own.empty() ? options.realization : own;
      records.push_back({std::string(scenario.name), realization, std::move(metric)});
    }
  } catch (const NotDone& error) {
    throw NotDone(fmt::format("{} did not do its work: {}", scenario.name, error.what()));
  }
}

std::vector<Record> measure_all(const Command& command) {
  Progress progress;
  std::vector<Record> records;
  std::shared_ptr<Lan> lan;
  if (!command.options.hosts.empty()) {
    Options options = command.options;
    options.realization = command.realizations.front();
    progress.begin("waiting for workers");
    lan = std::make_shared<Lan>(options);
  }
  for (const std::string& realization : command.realizations) {
    Options options = command.options;
    options.realization = realization;
    options.lan = lan;
    options.realizations = command.realizations;
    const bool is_first = realization == command.realizations.front();
    if (!command.is_all) {
      if (command.scenarios.front()->is_joint && !is_first) continue;
      measure(*command.scenarios.front(), options, progress, records);
      continue;
    }
    for (const Form& form : forms()) {
      for (const Scenario* scenario : command.scenarios) {
        if (scenario->name != form.scenario || (scenario->is_joint && !is_first)) continue;
        Options changed = options;
        form.change(changed);
        measure(*scenario, changed, progress, records);
      }
    }
  }
  if (lan) lan->close();
  return records;
}

void show(const Command& command, const std::vector<Record>& records, const std::string& typed) {
  if (!command.report.empty()) write_report(command.report, records, typed);
  if (command.json == "-") {
    for (const Record& record : records) fmt::print("{}\n", to_json_line(record));
    return;
  }
  if (!command.json.empty()) write_json_lines(command.json, records);
  fmt::print("{}", to_table(records));
  if (const unsigned recorded = *command.options.recorded; recorded != 0) {
    fmt::print("\nRecorded in {}{}; recording takes time, so compare no numbers\n",
               command.options.record, recorded > 1 ? fmt::format(" to .{}", recorded) : "");
  }
  fmt::print("\n{}, {} processors; {}\n", cpu_model(), cores(), build_name());
  if (!command.report.empty()) fmt::print("The figures are in {}/index.html\n", command.report);
}

int run(int argc, char** argv) {
  try {
    const Command command = read_command(argc, argv, scenarios);
    if (!build_is_fast()) {
      fmt::print(stderr,
                 "coracle-bench: this is not an optimized build; its numbers mean little\n");
    }
    const std::vector<Record> records = measure_all(command);
    if (command.scenarios.front()->measure != run_worker)
      show(command, records, fmt::format("{}", fmt::join(argv, argv + argc, " ")));
    return 0;
  } catch (const BadRequest& error) {
    fmt::print(stderr, "coracle-bench: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "coracle-bench: no number: {}\n", error.what());
    return 1;
  }
}

}  // namespace

}  // namespace coracle::bench

int main(int argc, char** argv) { return coracle::bench::run(argc, argv); }
