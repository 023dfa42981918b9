// A host that takes part in the measurement of another one.
#include "architectures/lan.hpp"
#include "scenarios/scenarios.hpp"

namespace coracle::bench {

std::vector<Metric> run_worker(const Options& options, Progress& progress) {
  progress.clear();
  work_for_lan(options);
  return {};
}

}  // namespace coracle::bench
