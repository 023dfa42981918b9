// Gateways to the agents of others: an agent that echoes, by each protocol, beside the servers of
// others that do the same, and beside the least that such a server can do.
#include "scenarios/gateways/gateway/gateway.hpp"

#include "scenarios/scenarios.hpp"

namespace coracle::bench {

std::vector<Metric> run_gateway(const Options& options, Progress& progress) {
  std::vector<Metric> metrics;
  measure_mcp(options, progress, metrics);
  measure_a2a_calls(options, progress, metrics);
  measure_a2a_streams(options, progress, metrics);
  return metrics;
}

}  // namespace coracle::bench
