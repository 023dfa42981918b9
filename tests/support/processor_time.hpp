// The processor time of a function, independent of other programs on the machine.
#pragma once

#include <ctime>

namespace coracle::test {

// The processor time that `act` takes, for comparisons: the unit is the system's.
template <class Act>
double processor_time_of(const Act& act) {
  const std::clock_t begin = std::clock();
  act();
  return static_cast<double>(std::clock() - begin);
}

}  // namespace coracle::test
