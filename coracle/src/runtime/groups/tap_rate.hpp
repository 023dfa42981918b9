// Limits the copies that one worker makes for a tap, and counts the messages beyond that.
// Tested in coracle/tests/runtime/tap_rate_test.cpp
#pragma once

#include "coracle/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace coracle::detail {

// Pure: the time comes from the caller, and is asked for only when the share of an interval is used
// up.
class TapRate {
 public:
  // `rate` copies in a second; 0 is no limit.
  explicit TapRate(std::uint32_t rate = 0) noexcept
      : share_(rate == 0 ? 0 : std::max<std::uint32_t>(1, rate / intervals)),
        length_(rate == 0 ? Duration()
                          : std::chrono::duration_cast<Duration>(std::chrono::seconds(1)) * share_ /
                                rate) {}

  // Returns whether a copy may be made. `now()` returns the time.
  template <class Now>
  bool lets(Now&& now) noexcept {
    if (share_ == 0 || left_ != 0) return true;
    const Time present = now();
    if (present < next_) return false;
    next_ = present + length_;
    left_ = share_;
    return true;
  }
  // A copy is made; requires that lets() has returned true.
  void count() noexcept {
    if (share_ != 0) --left_;
  }

  std::uint64_t missed = 0;  // since the last gap

 private:
  static constexpr std::uint32_t intervals = 20;  // in a second

  std::uint32_t share_;
  std::uint32_t left_ = 0;
  Duration length_;
  Time next_ = Time::min();
};

}  // namespace coracle::detail
