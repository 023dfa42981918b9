// Everything that coracle-bench can measure.
#pragma once

#include "harness/figures/metric.hpp"
#include "harness/figures/progress.hpp"
#include "harness/run/options.hpp"

#include <string_view>
#include <vector>

namespace coracle::bench {

// A scenario checks that its work was done (failures.hpp) and returns its numbers.
using Measure = std::vector<Metric> (*)(const Options& options, Progress& progress);

std::vector<Metric> run_pingpong(const Options& options, Progress& progress);
std::vector<Metric> run_pairs(const Options& options, Progress& progress);
std::vector<Metric> run_flood(const Options& options, Progress& progress);
std::vector<Metric> run_agents(const Options& options, Progress& progress);
std::vector<Metric> run_cost(const Options& options, Progress& progress);
std::vector<Metric> run_council(const Options& options, Progress& progress);
std::vector<Metric> run_rules(const Options& options, Progress& progress);
std::vector<Metric> run_contracts(const Options& options, Progress& progress);
std::vector<Metric> run_pipeline(const Options& options, Progress& progress);
std::vector<Metric> run_clients(const Options& options, Progress& progress);
std::vector<Metric> run_rpc(const Options& options, Progress& progress);
std::vector<Metric> run_slaves(const Options& options, Progress& progress);
std::vector<Metric> run_subsume(const Options& options, Progress& progress);
std::vector<Metric> run_tuples(const Options& options, Progress& progress);
std::vector<Metric> run_patterns(const Options& options, Progress& progress);
std::vector<Metric> run_full(const Options& options, Progress& progress);
std::vector<Metric> run_groups(const Options& options, Progress& progress);
std::vector<Metric> run_tree(const Options& options, Progress& progress);
std::vector<Metric> run_reads(const Options& options, Progress& progress);
std::vector<Metric> run_peers(const Options& options, Progress& progress);
std::vector<Metric> run_sizes(const Options& options, Progress& progress);
std::vector<Metric> run_fan_in(const Options& options, Progress& progress);
std::vector<Metric> run_bound(const Options& options, Progress& progress);
std::vector<Metric> run_nodes(const Options& options, Progress& progress);
std::vector<Metric> run_couples(const Options& options, Progress& progress);
std::vector<Metric> run_occupancy(const Options& options, Progress& progress);
std::vector<Metric> run_ping(const Options& options, Progress& progress);
std::vector<Metric> run_memory(const Options& options, Progress& progress);
std::vector<Metric> run_clearinghouse(const Options& options, Progress& progress);
std::vector<Metric> run_idle(const Options& options, Progress& progress);
std::vector<Metric> run_durable(const Options& options, Progress& progress);
std::vector<Metric> run_directory(const Options& options, Progress& progress);
std::vector<Metric> run_parts(const Options& options, Progress& progress);
std::vector<Metric> run_overhead(const Options& options, Progress& progress);
std::vector<Metric> run_cpe(const Options& options, Progress& progress);
std::vector<Metric> run_compare(const Options& options, Progress& progress);
std::vector<Metric> run_worker(const Options& options, Progress& progress);
std::vector<Metric> run_floor(const Options& options, Progress& progress);

// A line of the scenario table.
struct Scenario {
  std::string_view name;
  std::string_view summary;
  std::string_view takes;  // the options that have an effect on it, beside the common ones
  Measure measure;
  std::string_view realization = {};  // its realizations when none is named, with commas
  bool is_joint = false;              // measures all realizations itself, in turn
};

}  // namespace coracle::bench
