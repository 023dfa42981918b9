// The members of all groups.
#pragma once

#include "coracle/name.hpp"
#include "coracle/support/secret_hash.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

// Not safe to share between threads. A group exists while it has members.
class Groups {
 public:
  // The members of a group, in the order of joining.
  using Members = std::shared_ptr<const std::vector<Name>>;

  // The number of memberships in all groups together.
  std::size_t memberships() const noexcept { return memberships_; }
  // The number of groups.
  std::size_t size() const noexcept { return groups_.size(); }
  // The number of members of `group`.
  std::size_t size_of(const Name& group) const;
  bool contains(const Name& group, const Name& member) const;

  // Returns whether that changed anything.
  bool join(const Name& group, const Name& member);
  // Returns whether that changed anything.
  bool leave(const Name& group, const Name& member);
  // Ends all memberships of `member`; returns their groups in the order of joining.
  std::vector<Name> leave_all(const Name& member);

  // The list is built at the first call after a change, so that joining costs no copy of the list.
  Members members(const Name& group);

  // All groups, by name.
  std::vector<Name> all() const;

  // The first group strictly below `prefix`, or an empty name.
  Name any_below(const Name& prefix) const;

 private:
  // The position of a membership: in the list of the group's members and in the list of the
  // member's groups.
  struct Place {
    std::size_t in_group, of_member;
  };
  // Both lists keep an empty name where a membership has ended, until half of the names are empty.
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
