#include "metrics/metric_cell.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coracle::detail {

namespace {

// Two values agree if they differ by less than this share of the greater one.
constexpr double agreement = 0.1;

bool agree(double a, double b) noexcept {
  return std::abs(a - b) <= agreement * std::max(std::abs(a), std::abs(b));
}

}  // namespace

std::size_t MetricCell::add_source(const SensorOptions& options, std::size_t most) {
  const std::scoped_lock lock(mutex_);
  if (sources_.size() >= most)
    throw Error(Errc::limit_reached, "the metric " + quoted(path_.text(), 200) + " has " +
                                         std::to_string(most) +
                                         " sources already; use one sensor for it, and copy it");
  Source source;
  source.metric.unit = options.unit;
  source.metric.provenance = options.provenance;
  source.metric.credibility = options.credibility;
  source.metric.half_life = options.half_life;
  sources_.push_back(std::move(source));
  return sources_.size() - 1;
}

void MetricCell::update(std::size_t source, double value) {
  if (!std::isfinite(value)) return;
  const Time now = clock_.now();
  Metric reported;
  Due due;
  {
    const std::scoped_lock lock(mutex_);
    Source& own = sources_[source];
    own.metric.value = value;
    own.metric.time = now;
    own.has_value = true;
    note(now, reported, due);
  }
  report(due, reported);
}

void MetricCell::update(const Metric& value, std::size_t most) {
  const Time now = clock_.now();
  Metric reported;
  Due due;
  {
    const std::scoped_lock lock(mutex_);
    auto own = std::ranges::find_if(
        sources_, [&](const Source& each) { return each.metric.provenance == value.provenance; });
    if (own == sources_.end() && sources_.size() < most) own = sources_.insert(own, Source{});
    if (own == sources_.end())
      own = std::ranges::min_element(sources_, {}, [now](const Source& each) {
        return each.has_value ? each.metric.credibility_at(now) : 2.0;  // a sensor's place stays
      });
    const bool is_same = own->metric.provenance == value.provenance;
    if (own->has_value && is_same && own->metric.time > value.time) return;
    own->metric = value;
    own->has_value = true;
    note(now, reported, due);
  }
  report(due, reported);
}

const MetricCell::Source* MetricCell::best(Time now) const noexcept {
  const Source* best = nullptr;
  double most = -1;
  for (const Source& each : sources_) {
    if (!each.has_value) continue;
    const double credibility = each.metric.credibility_at(now);
    if (credibility <= most) continue;
    best = &each;
    most = credibility;
  }
  return best;
}

// Returns whether another source has measured about the same value lately.
bool MetricCell::several_agree(const Metric& best, Time now) const noexcept {
  return std::ranges::any_of(sources_, [&](const Source& each) {
    return each.has_value && &each.metric != &best && each.metric.provenance != best.provenance &&
           agree(each.metric.value, best.value) &&
           each.metric.credibility_at(now) >= credibility::measured_minutes;
  });
}

std::optional<Metric> MetricCell::present(Time now) const {
  const Source* const source = best(now);
  if (source == nullptr) return std::nullopt;
  Metric value = source->metric;
  value.credibility = source->metric.credibility_at(now);
  if (sources_.size() > 1 && value.credibility >= credibility::measured_minutes &&
      several_agree(source->metric, now))
    value.credibility = std::max(value.credibility, credibility::confirmed);
  return value;
}

// Records the present value, and finds the subscribers that want it.
void MetricCell::note(Time now, Metric& reported, Due& due) {
  changed_ = now;
  const Source* const source = best(now);
  history_.add(now, source->metric.value);
  if (subscribers_.empty()) return;
  reported = *present(now);
  for (const auto& each : subscribers_) {
    const MetricQualifier& wanted = each->qualifier;
    if (reported.credibility < wanted.least_credibility) continue;
    if (each->reported) {
      const double change = std::abs(reported.value - *each->reported);
      if (change == 0 || change < wanted.least_change) continue;
      if (now - each->at < wanted.least_interval) continue;
    }
    each->reported = reported.value;
    each->at = now;
    due.push_back(each);
  }
}

void MetricCell::report(const Due& due, const Metric& value) noexcept {
  for (const auto& each : due) each->changed(value);
}

std::optional<Metric> MetricCell::value() const {
  const Time now = clock_.now();
  const std::scoped_lock lock(mutex_);
  return present(now);
}

std::optional<Metric> MetricCell::average(Duration span) const {
  const Time now = clock_.now();
  const std::scoped_lock lock(mutex_);
  std::optional<Metric> value = present(now);
  if (value) value->value = history_.average(now, span);
  return value;
}

Time MetricCell::changed_at() const {
  const std::scoped_lock lock(mutex_);
  return changed_;
}

void MetricCell::set_formula(MetricFormula formula) {
  const std::scoped_lock lock(mutex_);
  if (formula_ != nullptr)
    throw Error(Errc::bad_options, "the metric " + quoted(path_.text(), 200) +
                                       " has a formula already; give one of them another path");
  formula_ = std::make_shared<const MetricFormula>(std::move(formula));
}

std::shared_ptr<const MetricFormula> MetricCell::formula() const {
  const std::scoped_lock lock(mutex_);
  return formula_;
}

void MetricCell::subscribe(const std::shared_ptr<Subscriber>& one) {
  const std::scoped_lock lock(mutex_);
  subscribers_.push_back(one);
}

void MetricCell::unsubscribe(const Subscriber* one) noexcept {
  const std::scoped_lock lock(mutex_);
  std::erase_if(subscribers_, [one](const auto& each) { return each.get() == one; });
}

}  // namespace coracle::detail
