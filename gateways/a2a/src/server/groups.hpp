// A message to several agents: docs/a2a-groups.md.
// Tests: gateways/a2a/tests/groups_test.cpp
#pragma once

#include "coracle/a2a/model.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::a2a {

inline constexpr std::string_view groups_extension = "urn:coracle:a2a:groups:1";

// The wish of a client: the agents, or the group of the society, and the number of answers.
struct GroupWish {
  enum class Rule : std::uint8_t { all, majority, number };

  std::vector<std::string> agents = {};
  std::string group = {};
  Rule rule = Rule::all;
  std::size_t number = 0;

  // The answers that are needed of so many members. Fails with Fault if there are too few.
  std::size_t needed(std::size_t members) const;
};

// The wish in the metadata of a message; nothing if it has none. Fails with Fault.
std::optional<GroupWish> group_wish_in(const Message& message, std::size_t most_members);

// Counts the answers of a group.
class GroupTally {
 public:
  enum class Verdict : std::uint8_t { open, reached, missed };

  // `needed` is at least one, and at most `members`.
  GroupTally(std::size_t members, std::size_t needed) noexcept : left_(members), needed_(needed) {}

  // One more member has answered, or will not. Returns what is decided by that.
  Verdict note(bool has_answered) noexcept;

 private:
  std::size_t left_, needed_, answers_ = 0;
};

}  // namespace coracle::a2a
