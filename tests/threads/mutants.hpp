// Copies of the ring and the parking with one mistake each, for mutations_test: small, with the
// same names as the real ones, and correct with Mistake::none.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

#include "models.hpp"

namespace coracle::testing {

enum class Mistake {
  none,
  published_before_written,
  freed_before_read,
  room_flag_set_after_check,
  room_flag_cleared_late,
  room_flag_not_looked_at_after_freeing,
  claimed_by_many,
  asleep_after_recheck,
};

template <Mistake mistake>
class MutantRing {
 public:
  explicit MutantRing(std::size_t capacity) : capacity_(capacity) {}

  bool try_push(const Letter& letter) {
    if (!has_room()) return false;
    ++pushed_;
    if (mistake == Mistake::published_before_written) published_.store(pushed_);
    slots_[(pushed_ - 1) % capacity_].write() = letter;
    return true;
  }
  bool publish() {
    if (shown_ == pushed_) return false;
    shown_ = pushed_;
    published_.store(pushed_);
    return true;
  }
  std::size_t unpublished() const { return pushed_ - shown_; }
  bool has_room() { return pushed_ - freed_.load() < capacity_; }

  bool wait_for_room() {
    if (mistake == Mistake::room_flag_set_after_check) {
      const bool full = !has_room();
      if (full) room_wanted_.store(true);
      return full;
    }
    room_wanted_.store(true);
    return !has_room();
  }

  template <class F>
  std::size_t consume(F&& f, std::size_t max) {
    if (mistake == Mistake::room_flag_cleared_late && std::exchange(clear_, false)) {
      room_wanted_.store(false);
    }
    const std::size_t count = std::min(max, published_.load() - consumed_);
    if (mistake == Mistake::freed_before_read && count != 0) freed_.store(consumed_ + count);
    for (std::size_t i = 0; i < count; ++i) f(slots_[consumed_++ % capacity_].read());
    const bool wanted_before = room_wanted_.load();
    if (count == 0) return 0;
    freed_.store(consumed_);
    const bool wanted = mistake == Mistake::room_flag_not_looked_at_after_freeing
                            ? wanted_before
                            : room_wanted_.load();
    if (!wanted) return count;
    if (mistake == Mistake::room_flag_cleared_late) clear_ = true;
    else room_wanted_.exchange(false);
    request_ = true;
    return count;
  }
  bool take_room_request() { return std::exchange(request_, false); }
  bool empty() const { return published_.load() == consumed_; }

 private:
  const std::size_t capacity_;
  std::array<ExploreCell<Letter>, 4> slots_;
  ExploreAtomic<std::size_t> published_;
  ExploreAtomic<std::size_t> freed_;
  ExploreAtomic<bool> room_wanted_;
  std::size_t pushed_ = 0;
  std::size_t shown_ = 0;
  std::size_t consumed_ = 0;
  bool request_ = false;
  bool clear_ = false;
};

template <Mistake mistake>
class MutantParking {
 public:
  template <class Ready, class Wait>
  bool park(Ready&& ready, Wait&& wait) {
    if (mistake == Mistake::asleep_after_recheck) {
      if (ready()) return false;
      asleep_.store(true);
    } else {
      asleep_.store(true);
      if (ready()) return asleep_.exchange(false), false;
    }
    wait();
    asleep_.exchange(false);
    return true;
  }
  bool claim_wake() {
    if (mistake == Mistake::claimed_by_many) return asleep_.load();
    return asleep_.load() && asleep_.exchange(false);
  }

 private:
  ExploreAtomic<bool> asleep_;
};

}  // namespace coracle::testing
