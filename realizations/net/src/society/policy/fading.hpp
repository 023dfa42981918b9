// Measures recent activity: each second, a fixed amount of it is forgotten.
#pragma once

#include "coracle/clock.hpp"

#include <algorithm>
#include <chrono>

namespace coracle::society {

class Fading {
 public:
  Fading(double per_second, Time begin) noexcept : per_second_(per_second), at_(begin) {}

  void add(double amount, Time now) noexcept { amount_ = left(now) + amount; }
  double left(Time now) noexcept {
    const std::chrono::duration<double> passed = now - at_;
    at_ = now;
    amount_ -= std::min(amount_, passed.count() * per_second_);
    return amount_;
  }
  void clear() noexcept { amount_ = 0; }

 private:
  const double per_second_;
  double amount_ = 0;
  Time at_;
};

}  // namespace coracle::society
