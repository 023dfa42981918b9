// The time that a worker runs its agents before it looks at what came and sends what they sent.
// Most agents run for less than a microsecond, so many of them make one turn; an agent that works
// for long ends it.
#pragma once

#include "coracle/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <utility>

namespace coracle::detail {

class TurnLength {
 public:
  // Begins a turn. Returns whether it is the first turn of this tick.
  bool begin() noexcept {
    left_ = most_frames;
    const std::int64_t present = tick();
    return std::exchange(began_, present) != present;
  }
  void ran(int frames) noexcept { left_ -= frames; }
  // Something is to go to another node, which could deal with it meanwhile. That many bytes are
  // worth a write, and are still in the processor's cache.
  void queued(std::size_t bytes) noexcept {
    constexpr std::size_t bytes_of_a_frame = 128;
    left_ -= 1 + static_cast<int>(bytes / bytes_of_a_frame);
  }
  void end() noexcept { left_ = 0; }
  bool is_over() const noexcept { return left_ <= 0 || tick() != began_; }
  // The present time in these ticks.
  static Duration present() noexcept { return std::chrono::nanoseconds(tick()); }

 private:
  static constexpr int most_frames = 512;

  // Returns the time in steps of a few milliseconds, which costs almost nothing.
  static std::int64_t tick() noexcept {
    std::timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
  }

  int left_ = 0;
  std::int64_t began_ = 0;
};

}  // namespace coracle::detail
