// Who belongs to which group.
#pragma once

#include "coracle/name.hpp"
#include "secret_hash.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

// Not safe to share between threads. A group exists while it has members.
class Groups {
 public:
  // Who is in a group, in the order of joining.
  using Members = std::shared_ptr<const std::vector<Name>>;

  // Memberships of all groups together.
  std::size_t memberships() const noexcept { return memberships_; }
  // How many groups there are.
  std::size_t size() const noexcept { return groups_.size(); }
  // How many members `group` has.
  std::size_t size_of(const Name& group) const;
  bool contains(const Name& group, const Name& member) const;

  // Returns whether that changed anything.
  bool join(const Name& group, const Name& member);
  // Returns whether that changed anything.
  bool leave(const Name& group, const Name& member);
  // Ends all memberships of `member`; returns their groups in the order of joining.
  std::vector<Name> leave_all(const Name& member);

  // Built when it is asked for after a change, so that joining costs no copy of the list.
  Members members(const Name& group);

  // All groups, by name.
  std::vector<Name> all() const;

  // The first group strictly below `prefix`, or an empty name.
  Name any_below(const Name& prefix) const;

 private:
  // Where a membership stands: among the group's members, and among the member's groups.
  struct Place {
    std::size_t in_group, of_member;
  };
  // Both lists have empty names where a membership has ended, until half of them are empty.
  struct Group {
    std::vector<Name> ordered;
    std::unordered_map<Name, Place, SecretHash> places;
    Members snapshot;
  };
  struct Member {
    std::vector<Name> groups;
    std::size_t memberships = 0;
  };
  using GroupsByName = std::unordered_map<Name, Group, SecretHash>;

  void remove(GroupsByName::iterator group, const Name& member);
  void compact(Group& group);
  void compact(Member& member, const Name& name);

  GroupsByName groups_;
  std::unordered_map<Name, Member, SecretHash> members_;
  std::size_t memberships_ = 0;
  Members nobody_ = std::make_shared<const std::vector<Name>>();
};

}  // namespace coracle::detail
