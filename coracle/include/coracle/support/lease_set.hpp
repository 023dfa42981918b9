// A set of leases. Most leases that are given out one after the other end up in the set, so it
// stores the ends of each span. The number of spans depends on the gaps, not on how many leases
// ended.
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
  // Returns false when the lease was already in the set.
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
  // The number of spans with gaps between them.
  std::size_t spans() const { return spans_.size(); }

 private:
  std::map<LeaseId, LeaseId> spans_;  // the first and the last lease of each span
};

}  // namespace coracle::detail
