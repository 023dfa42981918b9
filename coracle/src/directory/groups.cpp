#include "groups.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

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
  std::vector<Name>& of_member = members_[member].groups;
  place->second = {joined.ordered.size(), of_member.size()};
  joined.ordered.push_back(member);
  joined.snapshot = nullptr;
  of_member.push_back(group);
  ++memberships_;
  return true;
}

bool Groups::leave(const Name& group, const Name& member) {
  if (!contains(group, member)) return false;
  const auto leaving = members_.find(member);
  Member& left = leaving->second;
  left.groups[groups_.find(group)->second.places.find(member)->second.of_member] = Name();
  remove(group, member);
  if (++left.left == left.groups.size()) members_.erase(leaving);
  else if (left.groups.size() > 16 && left.left > left.groups.size() / 2) compact(left, member);
  return true;
}

std::vector<Name> Groups::leave_all(const Name& member) {
  if (members_.empty()) return {};
  const auto found = members_.find(member);
  if (found == members_.end()) return {};
  std::vector<Name> left = std::move(found->second.groups);
  members_.erase(found);
  std::erase_if(left, [](const Name& group) { return group.empty(); });
  for (const Name& group : left) remove(group, member);
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
  return groups;
}

Name Groups::any_below(const Name& prefix) const {
  for (const auto& [name, group] : groups_)
    if (name.within(prefix) && name != prefix) return name;
  return {};
}

void Groups::remove(const Name& group, const Name& member) {
  const auto found = groups_.find(group);
  Group& left = found->second;
  const auto place = left.places.find(member);
  left.ordered[place->second.in_group] = Name();
  left.places.erase(place);
  left.snapshot = nullptr;
  --memberships_;
  if (left.places.empty()) groups_.erase(found);
  else if (left.ordered.size() > 16 && left.ordered.size() > 2 * left.places.size()) compact(left);
}

void Groups::compact(Group& group) {
  if (group.ordered.size() == group.places.size()) return;
  std::erase_if(group.ordered, [](const Name& member) { return member.empty(); });
  for (std::size_t i = 0; i < group.ordered.size(); ++i)
    group.places.find(group.ordered[i])->second.in_group = i;
}

void Groups::compact(Member& member, const Name& name) {
  std::erase_if(member.groups, [](const Name& group) { return group.empty(); });
  member.left = 0;
  for (std::size_t i = 0; i < member.groups.size(); ++i)
    groups_.find(member.groups[i])->second.places.find(name)->second.of_member = i;
}

}  // namespace coracle::detail
