// Measures a number and its floor in turn, so that both are measured under the same conditions of
// the machine.
#pragma once

#include "harness/run/options.hpp"
#include "metric.hpp"
#include "progress.hpp"

#include <functional>
#include <string>
#include <vector>

namespace coracle::bench {

// Returns the repeats of several works, which are done in turn: A, B, A, B, …
// The first index is the work, the second the repeat.
std::vector<std::vector<Run>> interleave(const Options& options, Progress& progress,
                                         const std::vector<std::function<Run()>>& works);

// The value of `a` divided by that of `b`, repeat by repeat.
Summary ratio(const std::vector<Run>& a, const std::vector<Run>& b);

// Three metrics: `name`, `floor` and `ratio_to_floor`.
std::vector<Metric> beside_floor(const std::string& name, const std::string& unit,
                                 const Params& params, const std::vector<Run>& runs,
                                 const std::vector<Run>& floor);

}  // namespace coracle::bench
