// The mean by which constant elasticity of substitution is reckoned, for any power.
#pragma once

#include <vector>

namespace coracle::caf {

// A value of zero or more, and how much it counts.
struct Weighted {
  double value = 0;
  double weight = 0;
};

// (sum of weight * value^power)^(1 / power), by the weights' shares: between the least and the
// greatest value, and continuous in `power`. At 0 it is the geometric mean, at -infinity the least
// value. Requires at least one weight above zero. Nothing on the way overflows.
double power_mean(const std::vector<Weighted>& values, double power);

}  // namespace coracle::caf
