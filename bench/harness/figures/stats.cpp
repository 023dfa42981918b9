#include "stats.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coracle::bench {

namespace {

double average(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The variance of the mean of at least two values.
double variance_of_mean(const std::vector<double>& values) {
  const double middle = average(values);
  double sum = 0;
  for (const double each : values) sum += (each - middle) * (each - middle);
  const auto n = static_cast<double>(values.size());
  return sum / (n - 1) / n;
}

}  // namespace

Mean mean_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  if (values.size() < 2) return {values.front(), 0};
  const boost::math::students_t student(static_cast<double>(values.size()) - 1);
  const double t = boost::math::quantile(student, 0.975);
  return {average(values), t * std::sqrt(variance_of_mean(values))};
}

double welch(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() < 2 || b.size() < 2) return 1;
  const double in_a = variance_of_mean(a);
  const double in_b = variance_of_mean(b);
  const double difference = std::abs(average(a) - average(b));
  if (in_a + in_b == 0) return difference == 0 ? 1 : 0;
  const double t = difference / std::sqrt(in_a + in_b);
  const double freedom = (in_a + in_b) * (in_a + in_b) /
                         (in_a * in_a / (static_cast<double>(a.size()) - 1) +
                          in_b * in_b / (static_cast<double>(b.size()) - 1));
  const boost::math::students_t student(freedom);
  return 2 * boost::math::cdf(boost::math::complement(student, t));
}

Line fitted(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = std::min(x.size(), y.size());
  if (n == 0) return {};
  const double x_mean = average(x);
  const double y_mean = average(y);
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < n; ++i) {
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    xy += (x[i] - x_mean) * (y[i] - y_mean);
    yy += (y[i] - y_mean) * (y[i] - y_mean);
  }
  if (xx == 0) return {0, y_mean, 0};
  return {xy / xx, y_mean - xy / xx * x_mean, yy == 0 ? 1 : xy * xy / (xx * yy)};
}

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
  summary.ci95 = mean_of(values).ci95;
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
