// How long an idle worker looks for work before it sleeps. Sleeping costs whoever wakes it some ten
// microseconds and the message that did it thirty, so recent work is a reason to look longer; but
// where others wait for the processor, looking only keeps them from making that work.
#pragma once

#include "coracle/clock.hpp"

namespace coracle::detail {

class Spinning {
 public:
  explicit Spinning(Duration most) noexcept : most_(most), present_(most) {}

  // The worker has become idle: how long it is to look.
  Duration begin() noexcept {
    if (spells_without_ == 0) return present_;
    --spells_without_;
    return Duration::zero();
  }
  // It found something.
  void found() noexcept { present_ = most_; }
  // It did not.
  void in_vain() noexcept { present_ = present_ / 2 < least ? Duration::zero() : present_ / 2; }
  // It gave way to others, and was back after `took`: whether somebody else had waited, so that it
  // is to sleep, now and in some spells to come.
  bool gave_way(Duration took) noexcept {
    if (took < a_turn_of_others) return false;
    spells_without_ = spells_to_come;
    return true;
  }
  // It was idle for that long. Work that comes soon after the last of it is worth looking for.
  void idled(Duration spell) noexcept {
    if (spell < 4 * most_) present_ = most_;
  }

 private:
  static constexpr Duration least = std::chrono::microseconds(1);
  static constexpr Duration a_turn_of_others = std::chrono::microseconds(3);
  static constexpr unsigned spells_to_come = 32;

  const Duration most_;
  Duration present_;
  unsigned spells_without_ = 0;
};

}  // namespace coracle::detail
