// A clock that a test moves by hand.
#pragma once

#include "coracle/clock.hpp"

#include <atomic>

namespace coracle::test {

// Stands still until it is advanced. Safe to use from every thread.
class ManualClock final : public Clock {
 public:
  Time now() const override { return Time(Duration(nanoseconds_.load())); }

  // Lets `span` pass at once.
  void advance(Duration span) { nanoseconds_ += span.count(); }

 private:
  std::atomic<Duration::rep> nanoseconds_ = 1'000'000'000;
};

}  // namespace coracle::test
