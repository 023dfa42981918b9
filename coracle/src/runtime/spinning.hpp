// How long an idle worker looks for work before it sleeps. Sleeping costs whoever wakes it some ten
// microseconds and the message that did it thirty, so recent work is a reason to look longer. To
// give way between two looks lets a neighbour on the same processor make that work for less than
// sleeping costs; but who gives way to somebody with much to do is back only when that one's share
// is over, while one who sleeps is woken by the message.
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
  void found() noexcept {
    present_ = most_;
    if (spells_to_come_ > fewest) --spells_to_come_;
  }
  // It did not.
  void in_vain() noexcept { present_ = present_ / 2 < least ? Duration::zero() : present_ / 2; }
  // It gave way to others, and was back after `took`: whether one of them had much to do, so that
  // it is to sleep, now and in some spells to come; the more often that happens, the more of them.
  bool gave_way(Duration took) noexcept {
    is_alone_ = took < a_turn_of_others;
    if (took < a_share_of_others) return false;
    spells_without_ = spells_to_come_;
    spells_to_come_ = spells_to_come_ < most_spells ? 2 * spells_to_come_ : most_spells;
    return true;
  }
  // How often it is to look before it gives way again: more often while nobody seems to want the
  // processor, since to give way takes longer than to look at memory that is shared.
  unsigned looks() const noexcept { return is_alone_ ? looks_alone : 1; }
  // It was idle for that long. Work that comes soon is worth looking for when it does so again and
  // again: the answer to a heartbeat comes soon, and then nothing does.
  void idled(Duration spell) noexcept {
    soon_ = spell < 4 * most_ ? soon_ + 1 : 0;
    if (soon_ >= often) present_ = most_;
  }

 private:
  static constexpr Duration least = std::chrono::microseconds(1);
  static constexpr Duration a_turn_of_others = std::chrono::microseconds(2);
  static constexpr Duration a_share_of_others = std::chrono::microseconds(100);
  static constexpr unsigned looks_alone = 6;
  static constexpr unsigned fewest = 32, most_spells = 4096;
  static constexpr unsigned often = 4;

  const Duration most_;
  Duration present_;
  unsigned spells_without_ = 0, spells_to_come_ = fewest;
  unsigned soon_ = 0;  // in a row
  bool is_alone_ = false;
};

}  // namespace coracle::detail
