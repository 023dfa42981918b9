// The cells of a node's metrics, by path.
#pragma once

#include "metrics/metric_cell.hpp"

#include <cstddef>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

// May be used from any thread.
class MetricTable {
 public:
  MetricTable(Clock& clock, const MetricLimits& limits) : clock_(clock), limits_(limits) {}

  Clock& clock() const noexcept { return clock_; }
  const MetricLimits& limits() const noexcept { return limits_; }

  // The cell of a path; nullptr if there is none.
  std::shared_ptr<MetricCell> find(const MetricPath& path) const;
  // The same, but makes one. Fails with Errc::limit_reached.
  std::shared_ptr<MetricCell> make(const MetricPath& path);
  std::vector<std::shared_ptr<MetricCell>> all() const;
  // Keeps a cell for good.
  void hold(std::shared_ptr<MetricCell> cell);
  // Returns whether the value of `path` is, or is computed of, that of `other`.
  bool depends(const MetricPath& path, const MetricPath& other) const;

  // Fails with Errc::limit_reached.
  void add_subscription();
  void remove_subscription() noexcept;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept;
  };

  void forget_some();

  Clock& clock_;
  const MetricLimits limits_;
  mutable std::shared_mutex mutex_;  // guards the members below
  std::unordered_map<std::string, std::shared_ptr<MetricCell>, Hash, std::equal_to<>> cells_;
  std::vector<std::shared_ptr<MetricCell>> held_;
  std::size_t subscriptions_ = 0;
};

}  // namespace coracle::detail
