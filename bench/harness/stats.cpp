#include "harness/stats.hpp"

#include <algorithm>
#include <cmath>

namespace coracle::bench {

double percentile(std::vector<double> samples, double percent) {
  if (samples.empty()) return 0;
  const double rank = std::ceil(percent / 100.0 * static_cast<double>(samples.size()));
  const std::size_t index = rank < 1 ? 0 : static_cast<std::size_t>(rank) - 1;
  const auto place = samples.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(samples.begin(), place, samples.end());
  return *place;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Summary summarize(const std::vector<Run>& runs) {
  Summary summary;
  std::vector<double> values;
  std::vector<double> samples;
  for (const Run& run : runs) {
    values.push_back(run.value);
    summary.n += run.n;
    if (run.samples.empty()) samples.push_back(run.value);
    samples.insert(samples.end(), run.samples.begin(), run.samples.end());
  }
  if (values.empty()) return summary;
  summary.value = median(values);
  summary.min = *std::min_element(values.begin(), values.end());
  summary.max = *std::max_element(values.begin(), values.end());
  summary.p50 = percentile(samples, 50);
  summary.p99 = percentile(samples, 99);
  return summary;
}

Summary summarize(const std::vector<double>& values, std::uint64_t n) {
  std::vector<Run> runs;
  for (const double value : values) runs.push_back(Run{value, {}, 0});
  Summary summary = summarize(runs);
  summary.n = n;
  return summary;
}

}  // namespace coracle::bench
