// Parts of a realization that do something wrong once in a while: what seeds have to find.
#pragma once

#include "plans.hpp"

#include <string>
#include <vector>

namespace coracle::contract {

// A fault that generated societies must come across, and the model must notice.
struct RareFault {
  std::string name;
  int promise = 0;  // that is broken by it
  Plant plant;
};

std::vector<RareFault> rare_faults();
// Those that only a takeover shows.
std::vector<RareFault> takeover_faults();

}  // namespace coracle::contract
