#include "interests.hpp"

#include "directory/watches.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace coracle::society {

bool Interests::add(Table& table, Node& node, std::vector<Name>& own, const Name& what) {
  Nodes& nodes = table[what];
  if (std::find(nodes.begin(), nodes.end(), &node) != nodes.end()) return false;
  nodes.push_back(&node);
  own.push_back(what);
  return true;
}

void Interests::remove(Table& table, Node& node, std::vector<Name>& own) {
  for (const Name& what : std::exchange(own, {})) {
    const auto found = table.find(what);
    std::erase(found->second, &node);
    if (found->second.empty()) table.erase(found);
  }
}

void Interests::forget(Node& node) {
  remove(by_name_, node, node.names_);
  remove(by_group_, node, node.groups_);
  remove(by_prefix_, node, node.prefixes_);
}

void Interests::note(const Table& table, std::string_view what) {
  const auto found = table.find(what);
  if (found == table.end()) return;
  for (Node* const node : found->second) {
    if (!std::exchange(node->is_told_, true)) told_.push_back(node);
  }
}

void Interests::note_within(std::string_view name) {
  for (std::string_view prefix = name; !prefix.empty(); prefix = detail::parent_of(prefix))
    note(by_prefix_, prefix);
}

// A membership concerns those who deal with the group, and not those who deal with its member only.
const Interests::Nodes& Interests::of(const DirectoryEvent& change) {
  told_.clear();
  if (change.group.empty()) note(by_name_, change.name.view());
  else note(by_group_, change.group.view());
  note_within(change.name.view());
  note_within(change.group.view());
  note(by_prefix_, {});
  for (Node* const node : told_) node->is_told_ = false;
  return told_;
}

}  // namespace coracle::society
