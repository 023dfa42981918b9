#include "model/people.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace coracle::view {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t most_gone = 10'000, most_nodes = 2'000, most_groups = 5'000;
constexpr std::size_t most_members = 20'000;  // of all groups

}  // namespace

AgentRow* People::row_of(const Name& name, Time at) {
  const auto found = agents_.find(name);
  if (found != agents_.end()) return &found->second;
  if (agents_.size() >= most_ || name.empty()) return nullptr;
  AgentRow& row = agents_[name];
  row.name = name;
  row.since = at;
  row.change = ++changes_;
  ++strangers_;  // until the directory is known to have it
  return &row;
}

void People::arrive(const Name& name, std::uint64_t node, std::vector<std::string> roles,
                    Properties properties, Time at) {
  AgentRow* const row = row_of(name, at);
  if (row == nullptr) return;
  if (!row->is_known) --strangers_;
  row->is_known = true;
  row->node = node;
  row->roles = std::move(roles);
  row->properties = std::move(properties);
  set_groups(*row);
  row->change = ++changes_;
}

void People::leave(const Name& name) {
  const auto found = agents_.find(name);
  if (found == agents_.end()) return;
  if (!found->second.is_known) --strangers_;
  agents_.erase(found);
  gone_.emplace_back(++changes_, name);
  if (gone_.size() > most_gone) {
    forgotten_ = gone_.front().first;
    gone_.pop_front();
  }
}

void People::count(const Seen& message) {
  const auto row = [&](const Name& name) -> AgentRow* {
    if (strangers_ >= most_strangers_ && !agents_.contains(name)) return nullptr;
    return row_of(name, message.at);
  };
  if (AgentRow* const from = row(message.from)) {
    ++from->sent, from->change = ++changes_;
    if (message.kind == formats::Kind::failure) ++from->errors;
    if (message.kind == formats::Kind::request) ++from->open;
  }
  if (!message.group.empty() && message.group == message.to) return;  // nobody is named like it
  if (AgentRow* const to = row(message.to)) {
    ++to->received, to->change = ++changes_;
    const bool ends =
        message.kind == formats::Kind::reply || message.kind == formats::Kind::failure;
    if (ends && to->open != 0) --to->open;
  }
}

void People::count_error(const Name& from) {
  const auto found = agents_.find(from);
  if (found != agents_.end()) ++found->second.errors, found->second.change = ++changes_;
}

void People::look(const Name& name, Look look, Time at) {
  const auto found = agents_.find(name);
  if (found == agents_.end()) return;
  AgentRow& row = found->second;
  row.looked = at;
  row.open = look.open;
  // The beginning of a wait is known to a tenth only; the same wait keeps the first value.
  const bool is_same_wait =
      look.waits_for == row.waits_for && look.waits_what == row.waits_what &&
      std::chrono::abs(look.waits_since - row.waits_since) < 2s + (at - row.waits_since) / 5;
  // In tenths of a percent, so that not each look is a change.
  auto cpu = look.running.share_since(row.running);
  if (cpu) cpu = std::round(*cpu * 1000) / 1000;
  row.running = look.running;
  const bool is_same_cpu = std::exchange(row.cpu, cpu) == cpu;
  if (is_same_wait && is_same_cpu && look.queue == row.queue && look.room == row.room) return;
  row.queue = look.queue;
  row.room = look.room;
  if (!is_same_wait) {
    row.waits_for = std::move(look.waits_for);
    row.waits_since = look.waits_since;
    row.waits_what = std::move(look.waits_what);
  }
  row.change = ++changes_;
}

std::vector<Name> People::to_look_at(const std::vector<const Choice*>& screens,
                                     std::size_t most) const {
  std::vector<std::pair<Time, Name>> kinds[3];
  for (const auto& [name, row] : agents_) {
    if (!row.is_known || name.view().starts_with("coracle/")) continue;
    const bool is_on_screen =
        std::any_of(screens.begin(), screens.end(), [&name = name](const Choice* each) {
          return !each->names.empty() && each->names_one(name.view());
        });
    const bool waits = row.open != 0 || !row.waits_for.empty();
    kinds[waits ? 0 : is_on_screen ? 1 : 2].emplace_back(row.looked, name);
  }
  std::vector<Name> names;
  std::size_t kinds_left = std::size(kinds);
  for (auto& kind : kinds) {
    // Those behind get the room that a kind leaves.
    const std::size_t all = std::min(kind.size(), (most - names.size()) / kinds_left--);
    std::partial_sort(kind.begin(), kind.begin() + static_cast<std::ptrdiff_t>(all), kind.end());
    for (std::size_t i = 0; i < all; ++i) names.push_back(kind[i].second);
  }
  return names;
}

bool People::survey(const Survey& survey) {
  std::vector<NodeRow> nodes = survey.nodes;
  if (nodes.size() > most_nodes) nodes.resize(most_nodes);
  auto groups = survey.groups;
  std::size_t members = 0;
  if (groups.size() > most_groups) groups.resize(most_groups);
  for (auto& [group, names] : groups) {
    const std::size_t room = most_members - members;
    if (names.size() > room) names.resize(room);
    members += names.size();
  }
  const bool is_new = nodes != nodes_ || groups != groups_;
  nodes_ = std::move(nodes), groups_ = std::move(groups);
  if (!is_new) return false;
  surveyed_ = ++changes_;
  memberships_.clear();
  for (const auto& [group, names] : groups_)
    for (const std::string& each : names) memberships_[each].push_back(group);
  for (auto& [name, row] : agents_) set_groups(row);
  return true;
}

void People::set_groups(AgentRow& row) {
  const auto found = memberships_.find(row.name.str());
  std::vector<std::string> groups =
      found == memberships_.end() ? std::vector<std::string>() : found->second;
  if (groups == row.groups) return;
  row.groups = std::move(groups);
  row.change = ++changes_;
}

void People::measure(Time now) {
  const double seconds = std::chrono::duration<double>(now - measured_).count();
  const bool is_first = measured_ == Time{};
  if (!is_first && seconds <= 0) return;
  measured_ = now;
  for (auto& [name, row] : agents_) {
    const double rate = is_first ? 0 : static_cast<double>(row.sent - row.sent_before) / seconds;
    if (rate != row.rate) row.change = ++changes_;
    row.rate = rate;
    row.sent_before = row.sent;
  }
}

void People::clear() {
  agents_.clear(), nodes_.clear(), groups_.clear(), gone_.clear(), memberships_.clear();
  strangers_ = 0;
  forgotten_ = surveyed_ = ++changes_;
  measured_ = {};
}

const AgentRow* People::find(const Name& name) const noexcept {
  const auto found = agents_.find(name);
  return found == agents_.end() ? nullptr : &found->second;
}

std::vector<Name> People::gone_since(std::uint64_t change) const {
  std::vector<Name> names;
  for (const auto& [when, name] : gone_)
    if (when > change && !agents_.contains(name)) names.push_back(name);
  return names;
}

}  // namespace coracle::view
