// The parts of the scenario `gateway`, one for each gateway to the agents of others.
#pragma once

#include "harness/figures/metric.hpp"
#include "harness/figures/progress.hpp"
#include "harness/run/options.hpp"

#include <vector>

namespace coracle::bench {

// Adds the numbers of the gateway of MCP.
void measure_mcp(const Options& options, Progress& progress, std::vector<Metric>& metrics);

// Adds those of a server of A2A: tasks, cards and lists; and streams of changes.
void measure_a2a_calls(const Options& options, Progress& progress, std::vector<Metric>& metrics);
void measure_a2a_streams(const Options& options, Progress& progress, std::vector<Metric>& metrics);

}  // namespace coracle::bench
