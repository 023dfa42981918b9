// The half of the scenario `pipeline` that is about two processes.
#pragma once

#include "harness/compare.hpp"

namespace coracle::bench {

std::vector<Metric> run_pipeline_apart(const Options& options, Progress& progress);

}  // namespace coracle::bench
