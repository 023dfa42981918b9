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
  if (!joined.places.try_emplace(member, joined.ordered.size()).second) return false;
  joined.ordered.push_back(member);
  joined.snapshot = nullptr;
  groups_of_[member].push_back(group);
  ++memberships_;
  return true;
}

bool Groups::leave(const Name& group, const Name& member) {
  if (!contains(group, member)) return false;
  const auto of_member = groups_of_.find(member);
  std::erase(of_member->second, group);
  if (of_member->second.empty()) groups_of_.erase(of_member);
  remove(group, member);
  return true;
}

std::vector<Name> Groups::leave_all(const Name& member) {
  if (groups_of_.empty()) return {};
  const auto found = groups_of_.find(member);
  if (found == groups_of_.end()) return {};
  std::vector<Name> left = std::move(found->second);
  groups_of_.erase(found);
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
  left.ordered[place->second] = Name();
  left.places.erase(place);
  left.snapshot = nullptr;
  --memberships_;
  if (left.places.empty()) groups_.erase(found);
  else if (left.ordered.size() > 16 && left.ordered.size() > 2 * left.places.size()) compact(left);
}

void Groups::compact(Group& group) {
  if (group.ordered.size() == group.places.size()) return;
  std::erase_if(group.ordered, [](const Name& member) { return member.empty(); });
  for (std::size_t i = 0; i < group.ordered.size(); ++i) group.places[group.ordered[i]] = i;
}

}  // namespace coracle::detail
