// A clock that is moved by hand: for tests, and for a directory whose nodes take the time from its
// changes.
#pragma once

#include "coracle/clock.hpp"

#include <atomic>

namespace coracle::detail {

// Stands still until it is moved. Safe to use from every thread.
class ManualClock : public Clock {
 public:
  Time now() const override { return Time(Duration(nanoseconds_.load())); }

  // Lets `span` pass at once.
  void advance(Duration span) { nanoseconds_ += span.count(); }
  // The present time is `time`, which is not before the last one.
  void set(Time time) { nanoseconds_ = time.time_since_epoch().count(); }

 private:
  std::atomic<Duration::rep> nanoseconds_ = 1'000'000'000;
};

}  // namespace coracle::detail
