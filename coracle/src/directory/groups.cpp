#include "groups.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

bool is_mostly_empty(const std::vector<Name>& list, std::size_t names) noexcept {
  return list.size() > 16 && list.size() > 2 * names;
}

void drop_empty(std::vector<Name>& list) {
  std::erase_if(list, [](const Name& name) { return name.empty(); });
}

}  // namespace

std::size_t Groups::size_of(const Name& group) const {
  const auto found = groups_.find(group);
  return found == groups_.end() ? 0 : found->second.places.size();
}

bool Groups::contains(const Name& group, const Name& member) const {
  const auto found = groups_.find(group);
  return found != groups_.end() && found->second.places.contains(member);
}

bool Groups::join(const Name& group, const Name& member) {
  Group& joined = groups_[group];
  const auto [place, is_new] = joined.places.try_emplace(member);
  if (!is_new) return false;
  Member& joining = members_[member];
  place->second = {joined.ordered.size(), joining.groups.size()};
  joined.ordered.push_back(member);
  joined.snapshot = nullptr;
  joining.groups.push_back(group);
  ++joining.memberships;
  ++memberships_;
  return true;
}

bool Groups::leave(const Name& group, const Name& member) {
  const auto from = groups_.find(group);
  if (from == groups_.end()) return false;
  const auto place = from->second.places.find(member);
  if (place == from->second.places.end()) return false;
  const auto leaving = members_.find(member);
  Member& who = leaving->second;
  who.groups[place->second.of_member] = Name();
  remove(from, member);
  if (--who.memberships == 0) members_.erase(leaving);
  else if (is_mostly_empty(who.groups, who.memberships)) compact(who, member);
  return true;
}

std::vector<Name> Groups::leave_all(const Name& member) {
  if (members_.empty()) return {};
  const auto found = members_.find(member);
  if (found == members_.end()) return {};
  std::vector<Name> left = std::move(found->second.groups);
  members_.erase(found);
  drop_empty(left);
  for (const Name& group : left) remove(groups_.find(group), member);
  return left;
}

Groups::Members Groups::members(const Name& group) {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return nobody_;
  Group& asked = found->second;
  if (asked.snapshot == nullptr) {
    compact(asked);
    asked.snapshot = std::make_shared<const std::vector<Name>>(asked.ordered);
  }
  return asked.snapshot;
}

std::vector<Name> Groups::all() const {
  std::vector<Name> groups;
  for (const auto& [group, content] : groups_) groups.push_back(group);
  std::sort(groups.begin(), groups.end());
  return groups;
}

Name Groups::any_below(const Name& prefix) const {
  Name first;
  for (const auto& [name, group] : groups_) {
    if (!name.within(prefix) || name == prefix) continue;
    if (first.empty() || name < first) first = name;
  }
  return first;
}

void Groups::remove(GroupsByName::iterator group, const Name& member) {
  Group& left = group->second;
  const auto place = left.places.find(member);
  left.ordered[place->second.in_group] = Name();
  left.places.erase(place);
  left.snapshot = nullptr;
  --memberships_;
  if (left.places.empty()) groups_.erase(group);
  else if (is_mostly_empty(left.ordered, left.places.size())) compact(left);
}

void Groups::compact(Group& group) {
  if (group.ordered.size() == group.places.size()) return;
  drop_empty(group.ordered);
  for (std::size_t i = 0; i < group.ordered.size(); ++i)
    group.places.find(group.ordered[i])->second.in_group = i;
}

void Groups::compact(Member& member, const Name& name) {
  drop_empty(member.groups);
  for (std::size_t i = 0; i < member.groups.size(); ++i)
    groups_.find(member.groups[i])->second.places.find(name)->second.of_member = i;
}

}  // namespace coracle::detail
