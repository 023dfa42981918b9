#include "top/sampler.hpp"

#include "inspected.hpp"
#include "service_view.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace coracle::command {

namespace {

using namespace std::chrono_literals;

constexpr Duration round_time = 1s, list_again = 2s;

std::string doing_of(const Inspection& found) {
  switch (found.activity) {
    case Activity::absent:
      return "absent";
    case Activity::runs:
      return "runs";
    case Activity::silent:
      return "silent";
    case Activity::waits:
      break;
  }
  for (const Wait& each : found.waits) {
    if (!each.whom.empty()) return "waits for " + each.whom.str();
  }
  return "waits";
}

Measured measured_of(const Inspection& found) {
  Measured counts;
  counts.name = found.name.str();
  counts.at = steady_clock().now();
  counts.is_known = found.is_allowed && found.activity != Activity::silent;
  counts.does = found.is_allowed ? doing_of(found) : "may not be inspected";
  counts.node = found.node;
  counts.life = found.life;
  counts.age = found.age;
  counts.handled = found.sent + found.consumed;
  counts.queued = found.queued;
  counts.errors = found.errors.size();
  counts.restarts = found.restarts;
  counts.running = found.running;
  return counts;
}

}  // namespace

Sampler::Sampler(const TopSettings& settings)
    : prefix_(settings.prefix),
      service_(service_to_ask(settings.place.realization, patience_with_service)),
      node_(open_to_inspect(settings.place)) {}

// Takes over the names of all agents.
void Sampler::list() {
  const ServiceView view = look_at(service_, patience_with_service, nullptr).value();
  const Name within = prefix_.empty() ? Name() : Name(prefix_);
  std::map<std::string, Row> rows;
  for (const auto& [name, entry] : view.agents) {
    if (!entry.name.within(within)) continue;
    Row& row = rows[name];
    if (const auto known = rows_.find(name); known != rows_.end()) row = std::move(known->second);
    row.counts.name = name;
  }
  rows_ = std::move(rows);
  listed_ = steady_clock().now();
}

// Half of a round are the busiest agents, so that what a reader looks at is fresh.
std::vector<std::string> Sampler::to_inspect() {
  std::vector<std::string> names;
  if (rows_.size() > in_a_round) {
    std::vector<std::pair<double, std::string>> busy;
    for (const auto& [name, row] : rows_)
      if (row.rate > 0) busy.emplace_back(-row.rate, name);
    const std::size_t most = std::min(busy.size(), in_a_round / 2);
    std::partial_sort(busy.begin(), busy.begin() + static_cast<std::ptrdiff_t>(most), busy.end());
    for (std::size_t i = 0; i < most; ++i) names.push_back(std::move(busy[i].second));
  }
  auto at = rows_.lower_bound(next_);
  for (std::size_t i = 0; i < rows_.size() && names.size() < in_a_round; ++i, ++at) {
    if (at == rows_.end()) at = rows_.begin();
    if (std::find(names.begin(), names.end(), at->first) == names.end()) names.push_back(at->first);
  }
  next_ = at == rows_.end() ? "" : at->first;
  return names;
}

void Sampler::measure(const std::string& name) {
  Measured now = measured_of(inspect(node_, Name(name)));
  Row& row = rows_[name];
  const Measured& former = row.counts;
  if (former.is_known && former.life == now.life && now.handled >= former.handled)
    row.rate = static_cast<double>(now.handled - former.handled) /
               std::chrono::duration<double>(now.at - former.at).count();
  row.counts = std::move(now);
}

std::vector<Measured> Sampler::round(const std::function<bool()>& is_over) {
  const Time begun = steady_clock().now();
  const auto wait_until = [&](Time time) {
    while (!is_over() && steady_clock().now() < time) std::this_thread::sleep_for(10ms);
  };
  if (listed_ == Time{} || begun - listed_ >= list_again) list();
  const Duration pace = round_time / static_cast<int>(in_a_round);
  Time next = begun;
  for (const std::string& name : to_inspect()) {
    wait_until(next);
    if (is_over()) break;
    next = std::max(next, steady_clock().now()) + pace;
    measure(name);
    if (steady_clock().now() - begun > 2 * round_time) break;  // nodes are slow
  }
  wait_until(begun + round_time);
  std::vector<Measured> all;
  for (const auto& [name, row] : rows_) all.push_back(row.counts);
  return all;
}

std::size_t Sampler::unseen() const {
  return static_cast<std::size_t>(std::count_if(rows_.begin(), rows_.end(), [](const auto& each) {
    return each.second.counts.at == Time{};
  }));
}

}  // namespace coracle::command
