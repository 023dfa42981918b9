// Time series of metrics, in bounded memory.
// Tests: view/live/tests/series_test.cpp
#pragma once

#include "coracle/clock.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::view {

struct Metric {
  std::string name, unit, help;
  std::string of;  // "agent", "node", "link" or, for the society, nothing
};

// One value at one time.
struct Measured {
  std::size_t metric = 0;  // its place in metrics()
  std::string label;
  double value = 0;
};

// The values of all metrics at one time.
struct Point {
  Time at{};
  std::vector<Measured> values;
};

class Series {
 public:
  // Keeps the last `points` points, each with at most `values`.
  explicit Series(std::size_t points = 600, std::size_t values = 500)
      : most_points_(points), most_values_(values) {}

  // Adds a metric, or finds the one of that name; returns its place. Beyond 200 metrics, the
  // place is that of none: values for it are left out.
  std::size_t metric(std::string_view name, std::string_view unit, std::string_view help,
                     std::string_view of);
  // Adds a point. Values without a metric, and those beyond the limit, are left out.
  void add(Point point);

  const std::vector<Metric>& metrics() const noexcept { return metrics_; }
  const std::deque<Point>& points() const noexcept { return points_; }

 private:
  static constexpr std::size_t most_metrics = 200;
  const std::size_t most_points_, most_values_;
  std::vector<Metric> metrics_;
  std::deque<Point> points_;
};

}  // namespace coracle::view
