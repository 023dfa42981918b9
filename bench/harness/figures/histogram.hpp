// A histogram of latencies with bounded relative error, after HdrHistogram: each power of two is
// divided into 64 equal steps, so that no recorded value is off by more than 1.6 %.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace coracle::bench {

// Holds non-negative values up to 2^42 (73 minutes in nanoseconds); a greater value counts as 2^42.
// Used by one thread at a time; add() combines the histograms of several threads.
class Histogram {
 public:
  // Counts one value.
  void record(std::int64_t value) noexcept {
    const auto bounded = static_cast<std::uint64_t>(std::clamp<std::int64_t>(value, 0, limit - 1));
    ++counts_[index_of(bounded)];
    ++total_;
    sum_ += static_cast<double>(bounded);
    max_ = std::max(max_, bounded);
  }

  // Counts everything that `other` has counted.
  void add(const Histogram& other) noexcept {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
    sum_ += other.sum_;
    max_ = std::max(max_, other.max_);
  }

  // Returns the value at or below which `percent` of the values lie, up to the upper edge of its
  // step.
  double percentile(double percent) const noexcept {
    const double wanted = std::max(1.0, std::ceil(percent / 100.0 * static_cast<double>(total_)));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (static_cast<double>(seen) >= wanted) return std::min(upper_edge(i), max());
    }
    return max();
  }

  double mean() const noexcept { return total_ == 0 ? 0 : sum_ / static_cast<double>(total_); }
  double max() const noexcept { return static_cast<double>(max_); }
  std::uint64_t count() const noexcept { return total_; }

 private:
  static constexpr unsigned step_bits = 6;
  static constexpr unsigned limit_bits = 42;
  static constexpr std::int64_t limit = std::int64_t{1} << limit_bits;
  static constexpr std::size_t steps = std::size_t{1} << step_bits;
  static constexpr std::size_t size = (limit_bits - step_bits + 1) * steps;

  // Each value below 64 has a step of its own; above, the top seven bits give the step.
  static std::size_t index_of(std::uint64_t value) noexcept {
    const auto bits = static_cast<unsigned>(std::bit_width(value));
    if (bits <= step_bits) return static_cast<std::size_t>(value);
    const unsigned shift = bits - step_bits - 1;
    return (shift + 1) * steps + static_cast<std::size_t>((value >> shift) - steps);
  }
  static double upper_edge(std::size_t index) noexcept {
    if (index < steps) return static_cast<double>(index);
    const std::size_t shift = index / steps - 1;
    const auto low = static_cast<std::uint64_t>(index % steps + steps) << shift;
    return static_cast<double>(low + (std::uint64_t{1} << shift) - 1);
  }

  std::array<std::uint64_t, size> counts_{};
  std::uint64_t total_ = 0;
  std::uint64_t max_ = 0;
  double sum_ = 0;
};

}  // namespace coracle::bench
