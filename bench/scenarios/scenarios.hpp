// Everything that coracle-bench can measure.
#pragma once

#include "harness/figures/metric.hpp"
#include "harness/figures/progress.hpp"
#include "harness/run/options.hpp"

#include <string_view>
#include <vector>

namespace coracle::bench {

// A scenario checks that its work was done (failures.hpp) and returns its numbers.
using Measure = std::vector<Metric>(const Options& options, Progress& progress);

Measure run_pingpong, run_pairs, run_flood, run_agents, run_cost, run_council, run_rules,
    run_contracts, run_pipeline, run_clients, run_rpc, run_slaves, run_subsume, run_tuples,
    run_patterns, run_full, run_groups, run_tree, run_reads, run_peers, run_sizes, run_fan_in,
    run_bound, run_nodes, run_couples, run_occupancy, run_ping, run_memory, run_clearinghouse,
    run_idle, run_quiet, run_durable, run_directory, run_parts, run_overhead, run_cpe, run_compare,
    run_turns, run_worker, run_floor, run_overheard, run_bindings, run_acl, run_http, run_mtp,
    run_iiop, run_gateway;

// A line of the scenario table.
struct Scenario {
  std::string_view name;
  std::string_view summary;
  std::string_view takes;  // the options that have an effect on it, beside the common ones
  Measure* measure;
  std::string_view realization = {};  // its realizations when none is named, with commas
  bool is_joint = false;              // measures all realizations itself, in turn
};

}  // namespace coracle::bench
