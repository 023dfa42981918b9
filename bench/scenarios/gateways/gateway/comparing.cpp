#include "scenarios/gateways/gateway/comparing.hpp"

#include "harness/figures/compare.hpp"
#include "scenarios/gateways/gateway/calling.hpp"

#include <utility>

namespace coracle::bench {

void add_compared(const std::string& name, const std::string& unit, const Params& params,
                  const std::vector<std::vector<Run>>& runs, const std::string& peer,
                  std::vector<Metric>& metrics) {
  for (Metric& each : beside_floor(name, unit, params, runs[0], runs[1]))
    metrics.push_back(std::move(each));
  if (unit == "ns") metrics.push_back({"added", unit, params, difference(runs[0], runs[1]), {}});
  if (runs.size() < 3) return;
  Params theirs = params;
  theirs.emplace_back("system", peer);
  metrics.push_back({name, unit, theirs, summarize(runs[2]), {}});
  theirs.emplace_back("of", name);
  metrics.push_back({"ratio_to_peer", "x", theirs, ratio(runs[0], runs[2]), {}});
}

std::vector<std::vector<Run>> as_times(std::vector<std::vector<Run>> rates) {
  for (std::vector<Run>& work : rates)
    for (Run& each : work) each.value = 1e9 / each.value;
  return rates;
}

}  // namespace coracle::bench
