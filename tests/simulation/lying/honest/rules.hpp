// A policy that a seed makes, for four honest nodes and a liar.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/grants.hpp"

#include <memory>
#include <string>

namespace coracle::test::lying {

inline constexpr unsigned honest_nodes = 4;
inline constexpr const char* liars_prefix = "evil/";

struct Rules {
  std::string text;
  bool are_for_all = true;  // not only for the names that may be registered
  std::shared_ptr<const Policy> policy;

  bool allow(Action action, const std::string& from, const std::string& to) const {
    return policy->allows({}, action, Name(from), Name(to));
  }
};

// The names of node 2 begin with "n2/"; those that the liar may have, with "evil/". Nodes are
// certified as "host0", "host1", …
Rules rules_of(Random& random);
// Rules about registering alone: everything else is allowed, and no node checks the policy.
Rules open_rules();

// Returns whether both names are of one node. The society's policy does not apply between them
// unless the node itself checks it, because their messages pass no other node.
inline bool are_of_one_node(std::string_view one, std::string_view other) {
  return one.substr(0, one.find('/')) == other.substr(0, other.find('/'));
}

inline bool is_liars(std::string_view name) { return name.starts_with(liars_prefix); }

}  // namespace coracle::test::lying
