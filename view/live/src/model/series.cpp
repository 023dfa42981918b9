#include "model/series.hpp"

#include <algorithm>
#include <utility>

namespace coracle::view {

std::size_t Series::metric(std::string_view name, std::string_view unit, std::string_view help,
                           std::string_view of) {
  const auto found = std::find_if(metrics_.begin(), metrics_.end(),
                                  [&](const Metric& each) { return each.name == name; });
  const auto place = static_cast<std::size_t>(found - metrics_.begin());
  if (found == metrics_.end() && place < most_metrics)
    metrics_.push_back({std::string(name), std::string(unit), std::string(help), std::string(of)});
  return place;
}

void Series::add(Point point) {
  std::erase_if(point.values, [&](const Measured& each) { return each.metric >= metrics_.size(); });
  if (point.values.size() > most_values_) point.values.resize(most_values_);
  points_.push_back(std::move(point));
  if (points_.size() > most_points_) points_.pop_front();
}

}  // namespace coracle::view
