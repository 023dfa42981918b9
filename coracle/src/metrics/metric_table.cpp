#include "metrics/metric_table.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/secret_hash.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

namespace coracle::detail {

std::size_t MetricTable::Hash::operator()(std::string_view text) const noexcept {
  return SecretHash()(text);
}

std::shared_ptr<MetricCell> MetricTable::find(const MetricPath& path) const {
  const std::shared_lock lock(mutex_);
  const auto found = cells_.find(path.text());
  return found != cells_.end() ? found->second : nullptr;
}

std::shared_ptr<MetricCell> MetricTable::make(const MetricPath& path) {
  if (auto cell = find(path)) return cell;
  const std::scoped_lock lock(mutex_);
  if (cells_.size() >= limits_.paths && !cells_.contains(path.text())) forget_some();
  auto& cell = cells_[path.text()];
  if (cell == nullptr) cell = std::make_shared<MetricCell>(path, clock_);
  return cell;
}

// Makes room for many, so that each new path costs little on average.
void MetricTable::forget_some() {
  std::vector<std::pair<Time, const std::string*>> old;
  for (const auto& [text, cell] : cells_) {
    if (cell.use_count() == 1) old.emplace_back(cell->changed_at(), &text);
  }
  if (old.empty())
    throw Error(Errc::limit_reached, "there are " + std::to_string(cells_.size()) +
                                         " metrics, all with sensors, formulas or subscriptions; "
                                         "let some end, or raise MetricLimits::paths");
  const auto middle = old.begin() + static_cast<std::ptrdiff_t>(old.size() / 2);
  std::nth_element(old.begin(), middle, old.end());
  for (auto each = old.begin(); each <= middle; ++each) cells_.erase(std::string(*each->second));
}

std::vector<std::shared_ptr<MetricCell>> MetricTable::all() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::shared_ptr<MetricCell>> all;
  all.reserve(cells_.size());
  for (const auto& [text, cell] : cells_) all.push_back(cell);
  return all;
}

void MetricTable::hold(std::shared_ptr<MetricCell> cell) {
  const std::scoped_lock lock(mutex_);
  held_.push_back(std::move(cell));
}

bool MetricTable::depends(const MetricPath& path, const MetricPath& other) const {
  std::set<std::string> seen;
  std::vector<MetricPath> left = {path};
  while (!left.empty()) {
    const MetricPath next = std::move(left.back());
    left.pop_back();
    if (next == other) return true;
    if (!seen.insert(next.text()).second) continue;
    const auto cell = find(next);
    const auto formula = cell != nullptr ? cell->formula() : nullptr;
    if (formula != nullptr) left.insert(left.end(), formula->inputs.begin(), formula->inputs.end());
  }
  return false;
}

void MetricTable::add_subscription() {
  const std::scoped_lock lock(mutex_);
  if (subscriptions_ >= limits_.subscriptions)
    throw Error(Errc::limit_reached, "there are " + std::to_string(subscriptions_) +
                                         " subscriptions to metrics; let some end, or raise "
                                         "MetricLimits::subscriptions");
  ++subscriptions_;
}

void MetricTable::remove_subscription() noexcept {
  const std::scoped_lock lock(mutex_);
  --subscriptions_;
}

}  // namespace coracle::detail
