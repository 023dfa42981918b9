// The times at which keys are read again, as a pure function of what happened.
// Tests: gateways/jose/tests/key_times_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/support/mutations.hpp"

namespace coracle::jose {

class KeyTimes {
 public:
  // The keys were read at `now`.
  KeyTimes(Duration age, Duration pause, Time now)
      : age_(age), pause_(pause), begun_(now), read_(now) {}

  // Returns whether they are to be read again now, and notes that they are.
  bool begin(Time now, bool has_unknown_key) {
    const bool is_wanted = has_unknown_key || now - read_ >= age_;
    if (!is_wanted || is_under_way_) return false;
    if (now - begun_ < pause_ && !mutated(Mutation::any_time)) return false;
    begun_ = now;
    return is_under_way_ = true;
  }
  // Notes that reading them has ended.
  void end(Time now, bool has_succeeded) {
    is_under_way_ = false;
    if (has_succeeded) read_ = now;
  }

 private:
  const Duration age_, pause_;
  Time begun_, read_;
  bool is_under_way_ = false;
};

}  // namespace coracle::jose
