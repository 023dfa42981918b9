// From samples to the few numbers that are shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coracle::bench {

// What one repeat found.
struct Run {
  double value = 0;             // its result
  std::vector<double> samples;  // what the result was made from: batches, pairs, messages
  std::uint64_t n = 0;          // operations that were measured
};

// What all repeats found together.
struct Summary {
  double value = 0;  // the median of the repeats' results
  double p50 = 0;    // of all samples of all repeats, in ascending order
  double p99 = 0;
  double min = 0;  // the smallest and the greatest result of a repeat
  double max = 0;
  std::uint64_t n = 0;
};

// The value below which `percent` of the samples lie; zero when there are none.
double percentile(std::vector<double> samples, double percent);

// The middle one.
double median(std::vector<double> values);

// Puts repeats together. One without samples counts as a sample itself.
Summary summarize(const std::vector<Run>& runs);

// The summary of a figure that was derived from others, repeat by repeat.
Summary summarize(const std::vector<double>& values, std::uint64_t n);

}  // namespace coracle::bench
