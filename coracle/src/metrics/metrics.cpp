#include "coracle/metrics.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"
#include "metrics/metric_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coracle {

using detail::MetricCell;
using detail::MetricFormula;
using detail::MetricTable;

namespace {

// Formulas and contexts that ask each other further than this ask in a circle.
constexpr int deepest = 16;

void check(double credibility) {
  if (credibility >= 0 && credibility <= 1) return;
  throw Error(Errc::bad_options, "the credibility of a metric is from 0 to 1, and not " +
                                     std::to_string(credibility) +
                                     "; see the scale in <coracle/metric.hpp>");
}

// A value of no credibility, for what nobody has measured.
Metric unknown(std::string why) {
  Metric value;
  value.provenance = std::move(why);
  return value;
}

}  // namespace

void Sensor::update(double value) const {
  if (cell_ != nullptr) cell_->update(source_, value);
}

Metrics::Metrics(Clock& clock, const MetricLimits& limits, Parents parents)
    : table_(std::make_shared<MetricTable>(clock, limits)), parents_(std::move(parents)) {}

Sensor Metrics::sensor(const MetricPath& path, SensorOptions options) {
  check(options.credibility);
  auto cell = table_->make(path);
  const std::size_t source = cell->add_source(options, table_->limits().sources);
  return {std::move(cell), source};
}

void Metrics::update(const MetricPath& path, const Metric& value) {
  check(value.credibility);
  if (!std::isfinite(value.value))
    throw Error(Errc::bad_options, "the value of the metric " + detail::quoted(path.text(), 200) +
                                       " is no finite number; leave it out");
  table_->make(path)->update(value, table_->limits().sources);
}

void Metrics::define(const MetricPath& path, std::vector<MetricPath> inputs,
                     std::function<double(std::span<const double>)> formula, std::string unit) {
  for (const MetricPath& each : inputs) {
    if (!table_->depends(each, path)) continue;
    throw Error(Errc::bad_options, "the metric " + detail::quoted(path.text(), 200) +
                                       " would depend on itself, by way of " +
                                       detail::quoted(each.text(), 200) +
                                       "; compute it of other values");
  }
  const auto cell = table_->make(path);
  cell->set_formula({std::move(inputs), std::move(formula), std::move(unit)});
  table_->hold(cell);
}

Metric Metrics::get(const MetricPath& path) const { return find(path, std::nullopt, 0); }

Metric Metrics::average(const MetricPath& path, Duration span) const { return find(path, span, 0); }

Metric Metrics::find(const MetricPath& path, std::optional<Duration> span, int depth) const {
  if (depth >= deepest) return unknown("formulas or contexts that ask each other in a circle");
  if (const auto cell = table_->find(path)) {
    if (auto value = span ? cell->average(*span) : cell->value()) return *std::move(value);
    if (const auto formula = cell->formula()) return compute(*formula, span, depth);
  }
  if (!parents_) return unknown({});
  const auto parent = parents_(path.context());
  return parent ? find(path.in(*parent), span, depth + 1) : unknown({});
}

Metric Metrics::compute(const MetricFormula& formula, std::optional<Duration> span,
                        int depth) const {
  Metric result;
  result.credibility = credibility::certain;
  result.provenance = "a formula";
  result.unit = formula.unit;
  result.time = Time::max();
  std::vector<double> values;
  for (const MetricPath& each : formula.inputs) {
    const Metric input = find(each, span, depth + 1);
    values.push_back(input.value);
    result.credibility = std::min(result.credibility, input.credibility);
    result.time = std::min(result.time, input.time);
  }
  if (formula.inputs.empty()) result.time = table_->clock().now();
  result.value = formula.compute(values);
  if (!std::isfinite(result.value)) return unknown("a formula whose result is no finite number");
  return result;
}

std::vector<std::pair<MetricPath, Metric>> Metrics::all(std::string_view context) const {
  std::vector<std::pair<MetricPath, Metric>> all;
  for (const auto& cell : table_->all()) {
    const std::string& text = cell->path().text();
    const bool is_within =
        context.empty() ||
        (text.starts_with(context) && text.size() > context.size() && text[context.size()] == ':');
    if (!is_within) continue;
    if (auto value = cell->value()) all.emplace_back(cell->path(), *std::move(value));
    else if (cell->formula() != nullptr) all.emplace_back(cell->path(), get(cell->path()));
  }
  std::ranges::sort(all, {},
                    [](const auto& each) -> const std::string& { return each.first.text(); });
  return all;
}

MetricSubscription Metrics::subscribe(const MetricPath& path, MetricQualifier qualifier,
                                      std::function<void(const Metric&)> changed) {
  struct Held {
    std::shared_ptr<MetricTable> table;
    std::shared_ptr<MetricCell> cell;
    std::shared_ptr<MetricCell::Subscriber> subscriber;

    Held() = default;
    Held(const Held&) = delete;
    ~Held() {
      cell->unsubscribe(subscriber.get());
      table->remove_subscription();
    }
  };
  table_->add_subscription();
  auto subscriber = std::make_shared<MetricCell::Subscriber>();
  subscriber->qualifier = qualifier;
  subscriber->changed = std::move(changed);
  std::shared_ptr<MetricCell> cell;
  try {
    cell = table_->make(path);
  } catch (...) {
    table_->remove_subscription();
    throw;
  }
  auto held = std::make_shared<Held>();
  held->table = table_;
  held->cell = cell;
  held->subscriber = subscriber;
  cell->subscribe(subscriber);
  return MetricSubscription(std::move(held));
}

}  // namespace coracle
