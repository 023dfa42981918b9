// The executable model of DESIGN section 4: says whether a trace is allowed, and if not, which
// promise was broken by what. Pure: it knows nothing but the trace.
#pragma once

#include "trace.hpp"

#include <string>
#include <vector>

namespace coracle::contract {

// A promise that a trace shows to be broken.
struct Breach {
  int promise = 0;  // its number in docs/promises.md
  std::string what;
};

// All that is wrong with `trace`; empty when it is allowed.
std::vector<Breach> judge(const Trace& trace);

// One line for each.
std::string to_string(const std::vector<Breach>& breaches);

}  // namespace coracle::contract
