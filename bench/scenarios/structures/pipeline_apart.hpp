// The half of the scenario `pipeline` that measures two processes.
#pragma once

#include "harness/figures/compare.hpp"

namespace coracle::bench {

std::vector<Metric> run_pipeline_apart(const Options& options, Progress& progress);

}  // namespace coracle::bench
