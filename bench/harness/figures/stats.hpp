// Reduces samples to the few numbers that are shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coracle::bench {

// The result of one repeat.
struct Run {
  double value = 0;             // its result
  std::vector<double> samples;  // the parts of the result: batches, pairs, messages
  std::uint64_t n = 0;          // the number of operations that were measured
};

// The result of all repeats together.
struct Summary {
  double value = 0;  // the median of the repeats' results
  double p50 = 0;    // of all samples of all repeats, in ascending order
  double p99 = 0;
  double min = 0;  // the smallest and the greatest result of a repeat
  double max = 0;
  double ci95 =
      0;  // half the width of the 95 % confidence interval of the repeats' mean; 0: one repeat
  std::uint64_t n = 0;
};

// The value below which `percent` of the samples lie; zero when there are none.
double percentile(std::vector<double> samples, double percent);

// The mean, and the half width of its 95 % confidence interval by Student's t; the half width is
// zero when there are fewer than two values.
struct Mean {
  double value = 0;
  double ci95 = 0;
};
Mean mean_of(const std::vector<double>& values);

// Welch's test: returns the probability of means at least as different as these, if both samples
// came from one mean. Returns one when either has fewer than two values.
double welch(const std::vector<double>& a, const std::vector<double>& b);

// The line through points that has the least squares of errors in y.
struct Line {
  double slope = 0;
  double offset = 0;
  double r_squared = 0;  // the share of the differences in y that the line explains
};
Line fitted(const std::vector<double>& x, const std::vector<double>& y);

// Returns the middle value.
double median(std::vector<double> values);

// Combines repeats. A repeat without samples counts as a sample itself.
Summary summarize(const std::vector<Run>& runs);

// The summary of a figure that was derived from others, repeat by repeat.
Summary summarize(const std::vector<double>& values, std::uint64_t n);

}  // namespace coracle::bench
