// The values of one path, by their sources.
#pragma once

#include "coracle/metrics.hpp"
#include "metrics/history.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace coracle::detail {

// The computation of a value of others.
struct MetricFormula {
  std::vector<MetricPath> inputs;
  std::function<double(std::span<const double>)> compute;
  std::string unit;
};

// May be used from any thread.
class MetricCell {
 public:
  struct Subscriber {
    MetricQualifier qualifier;
    std::function<void(const Metric&)> changed;
    std::optional<double> reported = std::nullopt;
    Time at = {};
  };

  MetricCell(MetricPath path, Clock& clock) : path_(std::move(path)), clock_(clock) {}

  const MetricPath& path() const noexcept { return path_; }

  // Adds a source; returns its number. Fails with Errc::limit_reached.
  std::size_t add_source(const SensorOptions& options, std::size_t most);
  // The present value of a source.
  void update(std::size_t source, double value);
  // A value of the source of that provenance, which is added if it is new.
  void update(const Metric& value, std::size_t most);
  // The most credible value at present, and the time of the last change of any; nothing if there is
  // no value.
  std::optional<Metric> value() const;
  std::optional<Metric> average(Duration span) const;
  Time changed_at() const;

  // Fails with Errc::bad_options if there is a formula already.
  void set_formula(MetricFormula formula);
  std::shared_ptr<const MetricFormula> formula() const;

  void subscribe(const std::shared_ptr<Subscriber>& one);
  void unsubscribe(const Subscriber* one) noexcept;

 private:
  struct Source {
    Metric metric;
    bool has_value = false;
  };
  using Due = std::vector<std::shared_ptr<Subscriber>>;

  const Source* best(Time now) const noexcept;
  bool several_agree(const Metric& best, Time now) const noexcept;
  std::optional<Metric> present(Time now) const;
  void note(Time now, Metric& reported, Due& due);
  static void report(const Due& due, const Metric& value) noexcept;

  const MetricPath path_;
  Clock& clock_;
  mutable std::mutex mutex_;  // guards the members below
  std::vector<Source> sources_;
  History history_;
  std::shared_ptr<const MetricFormula> formula_;
  std::vector<std::shared_ptr<Subscriber>> subscribers_;
  Time changed_{};
};

}  // namespace coracle::detail
