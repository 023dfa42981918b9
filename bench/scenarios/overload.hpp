// Where a realization is overloaded: more and more is offered, and what that does to latencies.
#pragma once

#include "harness/metric.hpp"
#include "harness/options.hpp"
#include "harness/progress.hpp"
#include "harness/variants.hpp"

#include <vector>

namespace coracle::bench {

// Pairs in two processes offer shares of what the first of `variants` reaches in a closed loop, by
// each of them in turn. Gives for each `latency` at each share, and the `knee`: the most for which
// all is answered, and the slowest hundredth takes at most ten times as long as at the least, in
// the best of three tries.
void measure_overload(const Options& given, const std::vector<Variant>& variants,
                      Progress& progress, std::vector<Metric>& metrics);

}  // namespace coracle::bench
