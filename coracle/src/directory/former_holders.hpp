// The leases that held a name recently and hold it no longer: an agent's last messages may arrive
// after the news of its end, or of the next holder.
#pragma once

#include "coracle/directory.hpp"

#include <boost/circular_buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace coracle::detail {

class FormerHolders {
 public:
  // The limit of what is remembered; beyond it, the oldest entry is forgotten.
  static constexpr std::size_t most = 1 << 14;

  void note(const Name& name, LeaseId lease) {
    if (latest_.full()) latest_.set_capacity(std::min(most, 2 * latest_.size() + 64));
    latest_.push_back({name, lease});
  }
  // Looks at all entries. It is called only for a name that another lease holds now.
  bool contain(const Name& name, LeaseId lease) const {
    return std::find(latest_.begin(), latest_.end(), std::pair(name, lease)) != latest_.end();
  }

 private:
  boost::circular_buffer<std::pair<Name, LeaseId>> latest_;
};

}  // namespace coracle::detail
