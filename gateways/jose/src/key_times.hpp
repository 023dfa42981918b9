// The times at which keys are read again, and until which they may be used, as a pure function of
// what happened.
// Tests: gateways/jose/tests/key_times_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/support/mutations.hpp"

#include <optional>

namespace coracle::jose {

class KeyTimes {
 public:
  // The keys were read at `now`. They are used until they have that age, and until they have the
  // last age if they cannot be read again.
  KeyTimes(Duration age, Duration last_age, Duration pause, Time now)
      : age_(age), last_age_(last_age), pause_(pause), begun_(now), read_(now) {}

  // Returns whether they are to be read again now, and notes that they are. They are from half of
  // their age on, so that those that are often used never become too old.
  bool begin(Time now, bool has_unknown_key) {
    const bool is_wanted = has_unknown_key || now - read_ >= age_ / 2;
    if (!is_wanted || is_under_way_) return false;
    if (now - begun_ < pause_ && !mutated(Mutation::any_time)) return false;
    begun_ = now;
    return is_under_way_ = true;
  }
  // Notes that reading them has ended.
  void end(Time now, bool has_succeeded) {
    is_under_way_ = false;
    if (has_succeeded) read_ = now, failed_ = std::nullopt;
    else failed_ = now;
  }
  // Returns whether they may be used. Once they are old, reading them again has to have failed not
  // long ago.
  bool may_use(Time now) const {
    const Duration age = now - read_;
    return age < age_ || (age < last_age_ && failed_ && now - *failed_ < age_);
  }

 private:
  const Duration age_, last_age_, pause_;
  Time begun_, read_;
  std::optional<Time> failed_;  // since they were read
  bool is_under_way_ = false;
};

}  // namespace coracle::jose
