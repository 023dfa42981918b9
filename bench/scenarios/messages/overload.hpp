// The load at which a realization is overloaded: the offer grows, and the latencies are measured.
#pragma once

#include "harness/figures/metric.hpp"
#include "harness/figures/progress.hpp"
#include "harness/run/options.hpp"
#include "harness/run/variants.hpp"

#include <vector>

namespace coracle::bench {

// Pairs in two processes offer shares of the rate that the first of `variants` reaches in a closed
// loop, with each variant in turn. Returns for each variant `latency` at each share, and the
// `knee`: the largest offer for which everything is answered, and the slowest hundredth takes at
// most ten times as long as at the smallest offer, in the best of three tries.
void measure_overload(const Options& given, const std::vector<Variant>& variants,
                      Progress& progress, std::vector<Metric>& metrics);

}  // namespace coracle::bench
