// The mean that constant elasticity of substitution uses, for any power.
#pragma once

#include <vector>

namespace coracle::caf {

// A value of zero or more, and its weight.
struct Weighted {
  double value = 0;
  double weight = 0;
};

// Returns (sum of weight * value^power)^(1 / power), by the weights' shares. The result lies
// between the least and the greatest value, and is continuous in `power`. At 0 it is the geometric
// mean, at -infinity the least value. Requires at least one weight above zero. No intermediate
// result overflows.
double power_mean(const std::vector<Weighted>& values, double power);

}  // namespace coracle::caf
