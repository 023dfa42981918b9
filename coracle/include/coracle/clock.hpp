// Interfaces for time and randomness. Only the realizations of Clock and Random ask the machine for
// time or randomness, so that a simulator can control both.
#pragma once

#include <chrono>
#include <cstdint>

namespace coracle {

// A span of time.
using Duration = std::chrono::nanoseconds;

// A point on a steady clock; only differences are meaningful.
using Time = std::chrono::time_point<std::chrono::steady_clock, Duration>;

// A source of the present time. Realizations: SteadyClock (the machine's), ManualClock (tests), the
// simulator's. Safe to call from every thread.
class Clock {
 public:
  virtual ~Clock() = default;

  // The present time; it never goes back.
  virtual Time now() const = 0;
};

// A source of randomness. Realizations: the machine's, and seeded ones. Safe to call from every
// thread.
class Random {
 public:
  virtual ~Random() = default;

  // 64 bits, uniformly distributed.
  virtual std::uint64_t next() = 0;
};

// The machine's steady clock; lives as long as the program.
Clock& steady_clock();

// The machine's randomness, which nobody can predict; lives as long as the program.
Random& machine_random();

// The end of a wait: a span from now, a point in time, or never.
class Deadline {
 public:
  // Never.
  constexpr Deadline() noexcept = default;
  // The end is `within` after the wait begins. A span of zero or less has passed already.
  template <class Rep, class Period>
  constexpr Deadline(std::chrono::duration<Rep, Period> within) noexcept
      : span_(std::chrono::duration_cast<Duration>(within)), kind_(Kind::span) {}
  // The end is at `when`.
  constexpr Deadline(Time when) noexcept : span_(when.time_since_epoch()), kind_(Kind::point) {}

  // Never.
  static constexpr Deadline never() noexcept { return {}; }

  // Returns whether there is a deadline at all.
  constexpr bool is_set() const noexcept { return kind_ != Kind::never; }
  // The point in time, for a wait that begins at `now`.
  constexpr Time at(Time now) const noexcept {
    if (kind_ == Kind::never) return Time::max();
    if (kind_ == Kind::point) return Time(span_);
    return span_ > Time::max() - now ? Time::max() : now + span_;
  }
  // The beginning of a wait that ends at `end`, if this is a span; otherwise Time::max(), for
  // unknown.
  constexpr Time begun(Time end) const noexcept {
    return kind_ == Kind::span && end != Time::max() ? end - span_ : Time::max();
  }

 private:
  enum class Kind : std::uint8_t { never, span, point };

  Duration span_{};
  Kind kind_ = Kind::never;
};

}  // namespace coracle
