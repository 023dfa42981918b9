// The names, groups and prefixes that the nodes of a directory service deal with: a node hears of
// the changes of these, and of nothing else.
#pragma once

#include "coracle/directory.hpp"
#include "coracle/support/secret_hash.hpp"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace coracle::society {

class Interests {
 public:
  // The interests of one node.
  class Node {
   public:
    Node() = default;
    Node(const Node&) = delete;

    // The number of its interests.
    std::size_t count() const noexcept { return names_.size() + groups_.size() + prefixes_.size(); }

   protected:
    ~Node() = default;

   private:
    friend class Interests;
    std::vector<Name> names_, groups_, prefixes_;
    bool is_told_ = false;  // it is in the list that of() makes
  };
  using Nodes = std::vector<Node*>;

  // The node deals with that name, with that group, or with all names and groups within that
  // prefix. Each returns whether that is new.
  bool add_name(Node& node, const Name& name) { return add(by_name_, node, node.names_, name); }
  bool add_group(Node& node, const Name& group) {
    return add(by_group_, node, node.groups_, group);
  }
  bool add_prefix(Node& node, const Name& prefix) {
    return add(by_prefix_, node, node.prefixes_, prefix);
  }
  // The node deals with nothing any more.
  void forget(Node& node);

  // The nodes that deal with what has changed, each once. Valid until the next call.
  const Nodes& of(const DirectoryEvent& change);

 private:
  using Table = std::unordered_map<Name, Nodes, detail::SecretHash, detail::SameText>;

  static bool add(Table& table, Node& node, std::vector<Name>& own, const Name& what);
  static void remove(Table& table, Node& node, std::vector<Name>& own);
  void note(const Table& table, std::string_view what);
  void note_within(std::string_view name);

  Table by_name_, by_group_, by_prefix_;
  Nodes told_;
};

}  // namespace coracle::society
