// The executable model of docs/promises.md. It decides whether a trace is allowed, and if not,
// which promise was broken and by which event. It is pure: it uses nothing but the trace.
#pragma once

#include "trace.hpp"

#include <string>
#include <vector>

namespace coracle::conformance {

// A promise that the trace shows to be broken.
struct Breach {
  int promise = 0;  // its number in docs/promises.md
  std::string what;
};

// Returns everything that is wrong with `trace`; empty when the trace is allowed.
std::vector<Breach> judge(const Trace& trace);

// Returns one line for each breach.
std::string to_string(const std::vector<Breach>& breaches);

}  // namespace coracle::conformance
