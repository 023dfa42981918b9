// How long a worker runs its agents before it looks at what came and lets go what they sent. Most
// run for less than a microsecond, so many of them make one turn; those that work for long end it.
#pragma once

#include <cstdint>
#include <ctime>
#include <utility>

namespace coracle::detail {

class TurnLength {
 public:
  // Of the turn that begins: whether it is the first of this tick.
  bool begin() noexcept {
    left_ = most_frames;
    const std::int64_t present = tick();
    return std::exchange(began_, present) != present;
  }
  void ran(int frames) noexcept { left_ -= frames; }
  void end() noexcept { left_ = 0; }
  bool is_over() const noexcept { return left_ <= 0 || tick() != began_; }

 private:
  static constexpr int most_frames = 256;

  // The time in steps of a few milliseconds, which costs almost nothing.
  static std::int64_t tick() noexcept {
    std::timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
  }

  int left_ = 0;
  std::int64_t began_ = 0;
};

}  // namespace coracle::detail
