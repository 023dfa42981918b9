// The metrics of a node: values by path, each with its credibility. Sensors of the library and of
// users put them in; anybody asks for the present value, for an average, or to be told of changes.
// Tests: coracle/tests/metrics/metrics_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/metric.hpp"
#include "coracle/metric_path.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle {

namespace detail {
class MetricCell;
class MetricTable;
struct MetricFormula;
}  // namespace detail

// The properties of a sensor's values.
struct SensorOptions {
  std::string unit = {};
  std::string provenance = {};
  double credibility = credibility::measured;
  Duration half_life = Duration::max();
};

// Puts values in at one path. Copies are the same sensor; its last value stays when all are
// destroyed, and becomes less credible with time. May be used from any thread.
class Sensor {
 public:
  // A sensor whose values go nowhere.
  Sensor() noexcept = default;

  // The present value. Ignores a value that is no finite number.
  void update(double value) const;

 private:
  friend class Metrics;
  Sensor(std::shared_ptr<detail::MetricCell> cell, std::size_t source) noexcept
      : cell_(std::move(cell)), source_(source) {}

  std::shared_ptr<detail::MetricCell> cell_;
  std::size_t source_ = 0;
};

// The changes that a subscriber wants to be told of.
struct MetricQualifier {
  // The value has changed by at least so much since the last report.
  double least_change = 0;
  // It is at least so credible.
  double least_credibility = 0;
  // So much time has passed since the last report.
  Duration least_interval = {};
};

// A subscription, which ends when its last copy is destroyed; a call that another thread has begun
// may end after that.
class MetricSubscription {
 public:
  MetricSubscription() noexcept = default;

 private:
  friend class Metrics;
  explicit MetricSubscription(std::shared_ptr<const void> held) noexcept : held_(std::move(held)) {}

  std::shared_ptr<const void> held_;
};

// The limits of a node's metrics.
struct MetricLimits {
  std::size_t paths = 100'000;
  std::size_t sources = 8;  // of one path
  std::size_t subscriptions = 10'000;
};

// The metrics of one node. May be used from any thread. When there is no room for another path,
// those are forgotten that nobody holds a sensor or a subscription of, the longest unchanged first.
class Metrics {
 public:
  // Gives the context in which an unknown formula is looked for next: that of the node for an
  // agent's, that of the host for a node's; nothing at the end.
  using Parents = std::function<std::optional<std::vector<MetricPath::Step>>(
      std::span<const MetricPath::Step> context)>;

  explicit Metrics(Clock& clock, const MetricLimits& limits = {}, Parents parents = nullptr);

  // Makes a sensor. Several sensors may have one path: the most credible value counts. Fails with
  // Errc::limit_reached.
  Sensor sensor(const MetricPath& path, SensorOptions options = {});
  // Sets a value that somebody else has measured, as if a sensor of its provenance had; an older
  // value than that sensor's changes nothing. When a path has no room for another source, the least
  // credible one makes room. Fails with Errc::limit_reached, and with Errc::bad_options if the
  // value is no finite number or the credibility is not from 0 to 1.
  void update(const MetricPath& path, const Metric& value);
  // Sets how a value is computed of others whenever it is asked for; it is as credible as the least
  // credible of them. Fails with Errc::bad_options if the value would depend on itself, or has a
  // formula already, and with Errc::limit_reached.
  void define(const MetricPath& path, std::vector<MetricPath> inputs,
              std::function<double(std::span<const double>)> formula, std::string unit = {});

  // The most credible value. If nobody has one in that context, its parents are asked. Nobody at
  // all: a value with credibility 0.
  Metric get(const MetricPath& path) const;
  // The average: a moment that lies back by `span` counts e times less than the present.
  Metric average(const MetricPath& path, Duration span) const;
  // All paths with a value, in the order of their texts; those within a context if it is not empty.
  std::vector<std::pair<MetricPath, Metric>> all(std::string_view context = {}) const;

  // Calls `changed` after each change that qualifies, on the thread that made it; it must not wait,
  // and must not throw. Values of parents and of formulas do not count as changes. Fails with
  // Errc::limit_reached.
  MetricSubscription subscribe(const MetricPath& path, MetricQualifier qualifier,
                               std::function<void(const Metric&)> changed);

 private:
  Metric find(const MetricPath& path, std::optional<Duration> span, int depth) const;
  Metric compute(const detail::MetricFormula& formula, std::optional<Duration> span,
                 int depth) const;

  const std::shared_ptr<detail::MetricTable> table_;
  const Parents parents_;
};

}  // namespace coracle
