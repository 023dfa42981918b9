#include "power_mean.hpp"

#include <algorithm>
#include <cmath>

namespace coracle::caf {

namespace {

// The logarithm of a positive value, and its share of the weight of all positive values.
struct Part {
  double logarithm = 0;
  double share = 0;
};

// Returns the logarithm of the geometric mean.
double middle_of(const std::vector<Part>& parts) {
  double sum = 0;
  for (const Part& each : parts) sum += each.share * each.logarithm;
  return sum;
}

// Returns the logarithm of the sum of share * exp(power * logarithm), divided by the power. The
// logarithms are those of values relative to the geometric mean.
double logarithm_of_mean(const std::vector<Part>& parts, double power) {
  double largest = 0;
  for (const Part& each : parts) largest = std::max(largest, std::abs(power * each.logarithm));
  double sum = 0;
  if (largest <= 1) {
    // Here the sum is nearly 1, and only its difference from 1 matters.
    for (const Part& each : parts) sum += each.share * std::expm1(power * each.logarithm);
    return std::log1p(sum) / power;
  }
  double greatest = -INFINITY;
  for (const Part& each : parts) greatest = std::max(greatest, power * each.logarithm);
  for (const Part& each : parts) {
    sum += each.share * std::exp(power * each.logarithm - greatest);
  }
  return (greatest + std::log(sum)) / power;
}

// Returns the logarithm of the share of the positive values. Values of zero count by their weight.
double logarithm_of_rest(double positive, double absent) {
  const double all = positive + absent;
  return absent < positive ? std::log1p(-absent / all) : std::log(positive / all);
}

}  // namespace

double power_mean(const std::vector<Weighted>& values, double power) {
  double positive = 0;
  double absent = 0;
  double least = INFINITY;
  // Weights are in parts of the greatest weight, so that their sum is a number.
  double unit = 0;
  for (const Weighted& each : values) unit = std::max(unit, each.weight);
  std::vector<Part> parts;
  for (const Weighted& each : values) {
    const double weight = each.weight / unit;
    if (weight == 0) continue;
    least = std::min(least, each.value);
    if (each.value <= 0) {
      absent += weight;
      continue;
    }
    positive += weight;
    parts.push_back({std::log(each.value), weight});
  }
  if (parts.empty()) return 0;
  if (power == -INFINITY) return least;
  if (power <= 0 && absent > 0) return 0;
  for (Part& each : parts) each.share /= positive;
  const double middle = middle_of(parts);
  if (power == 0) return std::exp(middle);
  for (Part& each : parts) each.logarithm -= middle;
  const double less = logarithm_of_rest(positive, absent) / power;
  return std::exp(middle + logarithm_of_mean(parts, power) + less);
}

}  // namespace coracle::caf
