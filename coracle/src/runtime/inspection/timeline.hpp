// The times at which a rising count had certain values: from a number that was counted, it returns
// about when that was, to a tenth of the time since then. Memory is bounded.
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
  static constexpr int steps = 10;

  struct At {
    std::uint64_t count;
    Time latest;  // at which the count was that
  };

  // Removes each entry whose neighbours are no further apart than a tenth of their age. So less
  // than 900 are kept, whatever the clock shows: any two distances together are more than a tenth
  // of the age, and there are 440 such steps from a nanosecond to three centuries.
  void thin_out() {
    const Time newest = times_.back().latest;
    std::vector<At> kept = {times_.back()};
    for (std::size_t index = times_.size() - 1; index-- > 1;) {
      const Time older = times_[index - 1].latest;
      if (kept.back().latest - older > (newest - older) / steps) kept.push_back(times_[index]);
    }
    kept.push_back(times_.front());
    times_.assign(kept.rbegin(), kept.rend());
  }

  std::vector<At> times_;
};

}  // namespace coracle::detail
