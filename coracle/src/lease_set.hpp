// A set of leases. Most of those that are given out one after the other end up in it, so it keeps
// where they begin and end: as many as there are gaps, however many have ended.
#pragma once

#include "coracle/directory.hpp"

#include <iterator>
#include <map>

namespace coracle::detail {

class LeaseSet {
 public:
  bool contains(LeaseId lease) const {
    const auto next = spans_.upper_bound(lease);
    return next != spans_.begin() && std::prev(next)->second >= lease;
  }
  // False when it was in it.
  bool insert(LeaseId lease) {
    if (contains(lease)) return false;
    const auto next = spans_.upper_bound(lease);
    const bool joins_next = next != spans_.end() && next->first == lease + 1;
    const LeaseId last = joins_next ? next->second : lease;
    if (joins_next) spans_.erase(next);
    const auto after = spans_.upper_bound(lease);
    if (after != spans_.begin() && std::prev(after)->second + 1 == lease) {
      std::prev(after)->second = last;
    } else {
      spans_.emplace(lease, last);
    }
    return true;
  }
  void erase(LeaseId lease) {
    if (!contains(lease)) return;
    const auto span = std::prev(spans_.upper_bound(lease));
    const LeaseId first = span->first, last = span->second;
    spans_.erase(span);
    if (first != lease) spans_.emplace(first, lease - 1);
    if (last != lease) spans_.emplace(lease + 1, last);
  }
  // How many there are with gaps between them.
  std::size_t spans() const { return spans_.size(); }

 private:
  std::map<LeaseId, LeaseId> spans_;  // the first and the last of each
};

}  // namespace coracle::detail
