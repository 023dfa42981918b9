// Numbers of a gateway, beside those of a server of others.
#pragma once

#include "harness/figures/metric.hpp"
#include "harness/figures/stats.hpp"

#include <string>
#include <vector>

namespace coracle::bench {

// Adds our number with its floor, and with that of `peer` if it was measured: `runs` has two or
// three works. Times have the difference to the floor, too.
void add_compared(const std::string& name, const std::string& unit, const Params& params,
                  const std::vector<std::vector<Run>>& runs, const std::string& peer,
                  std::vector<Metric>& metrics);

// The time of one instead of a rate.
std::vector<std::vector<Run>> as_times(std::vector<std::vector<Run>> rates);

}  // namespace coracle::bench
