// The times at which a rising count had certain values: from a number that was counted, it returns
// about when that was. Memory is bounded; the older a number, the coarser its time.
#pragma once

#include "coracle/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace coracle::detail {

class Timeline {
 public:
  static constexpr std::size_t most = 1024;

  // The count is `count` at `present`. Neither is ever smaller than in the call before.
  void note(std::uint64_t count, Time present) {
    if (!times_.empty() && times_.back().count == count) {
      times_.back().latest = present;
      return;
    }
    if (times_.size() >= most) thin_out();
    times_.push_back({count, present});
  }
  // Returns the latest time that is known at which the count was below `number`.
  std::optional<Time> before(std::uint64_t number) const noexcept {
    const auto after =
        std::lower_bound(times_.begin(), times_.end(), number,
                         [](const At& at, std::uint64_t value) { return at.count < value; });
    if (after == times_.begin()) return std::nullopt;
    return (after - 1)->latest;
  }
  std::size_t size() const noexcept { return times_.size(); }

 private:
  struct At {
    std::uint64_t count;
    Time latest;  // at which the count was that
  };

  // Removes every second entry.
  void thin_out() noexcept {
    std::size_t kept = 0;
    for (std::size_t index = 1; index < times_.size(); index += 2) times_[kept++] = times_[index];
    times_.resize(kept);
  }

  std::vector<At> times_;
};

}  // namespace coracle::detail
