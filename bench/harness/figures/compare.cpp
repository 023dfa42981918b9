#include "compare.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::bench {

std::vector<std::vector<Run>> interleave(const Options& options, Progress& progress,
                                         const std::vector<std::function<Run()>>& works) {
  std::vector<std::vector<Run>> runs(works.size());
  for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
    for (std::size_t work = 0; work < works.size(); ++work) {
      progress.step(fmt::format("repeat {}/{}, part {}/{}", repeat + 1, options.repeats(), work + 1,
                                works.size()));
      runs[work].push_back(works[work]());
    }
  }
  return runs;
}

Summary ratio(const std::vector<Run>& a, const std::vector<Run>& b) {
  std::vector<double> ratios;
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (b[i].value > 0) ratios.push_back(a[i].value / b[i].value);
    n += a[i].n;
  }
  return summarize(ratios, n);
}

std::vector<Metric> beside_floor(const std::string& name, const std::string& unit,
                                 const Params& params, const std::vector<Run>& runs,
                                 const std::vector<Run>& floor) {
  return {{name, unit, params, summarize(runs), {}},
          {"floor", unit, params, summarize(floor), {}},
          {"ratio_to_floor", "x", params, ratio(runs, floor), {}}};
}

}  // namespace coracle::bench
