// The time that an idle worker looks for work before it sleeps. Sleeping costs the thread that
// wakes the worker some ten microseconds, and the message that caused this thirty, so recent work
// is a reason to look longer. Giving way between two looks lets a neighbour on the same processor
// make that work for less than sleeping costs. But a worker that gives way to a thread with much to
// do is back only when that thread's share is over, while a sleeping worker is woken by the
// message.
#pragma once

#include "coracle/clock.hpp"

namespace coracle::detail {

class Spinning {
 public:
  explicit Spinning(Duration most) noexcept : most_(most), present_(most) {}

  // The worker has become idle: returns how long it is to look.
  Duration begin() noexcept {
    if (spells_without_ == 0) return present_;
    --spells_without_;
    return Duration::zero();
  }
  // The worker found something.
  void found() noexcept {
    present_ = most_;
    if (spells_to_come_ > fewest) --spells_to_come_;
  }
  // The worker found nothing.
  void in_vain() noexcept { present_ = present_ / 2 < least ? Duration::zero() : present_ / 2; }
  // The worker gave way to others, and was back after `took`. Returns whether one of them had much
  // to do, so that the worker is to sleep, now and in some spells to come; the more often that
  // happens, the more of them.
  bool gave_way(Duration took) noexcept {
    is_alone_ = took < a_turn_of_others;
    if (took < a_share_of_others) return false;
    spells_without_ = spells_to_come_;
    spells_to_come_ = spells_to_come_ < most_spells ? 2 * spells_to_come_ : most_spells;
    return true;
  }
  // Returns how often the worker is to look before it gives way again: more often while nobody
  // seems to want the processor, since giving way takes longer than looking at shared memory.
  unsigned looks() const noexcept { return is_alone_ ? looks_alone : 1; }
  // The worker was idle for `spell`. It is worth looking for work that comes soon only if such
  // spells come again and again: the reply to a heartbeat comes soon, and then nothing does.
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
