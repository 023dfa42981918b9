// Who belongs to which group.
#pragma once

#include "coracle/name.hpp"

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

  // All groups.
  std::vector<Name> all() const;

  // A group strictly below `prefix`, or an empty name.
  Name any_below(const Name& prefix) const;

 private:
  struct Group {
    std::vector<Name> ordered;  // with empty names where members have left
    std::unordered_map<Name, std::size_t> places;
    Members snapshot;
  };

  void remove(const Name& group, const Name& member);
  static void compact(Group& group);

  std::unordered_map<Name, Group> groups_;
  std::unordered_map<Name, std::vector<Name>> groups_of_;
  std::size_t memberships_ = 0;
  Members nobody_ = std::make_shared<const std::vector<Name>>();
};

}  // namespace coracle::detail
