// Parts of a realization that do something wrong once in a while; seeds have to find them.
#pragma once

#include "plans.hpp"

#include <string>
#include <vector>

namespace coracle::conformance {

// A fault that generated societies must meet, and the model must notice.
struct RareFault {
  std::string name;
  int promise = 0;  // the promise that it breaks
  Plant plant;
};

std::vector<RareFault> rare_faults();
// The faults that only a takeover shows.
std::vector<RareFault> takeover_faults();

}  // namespace coracle::conformance
