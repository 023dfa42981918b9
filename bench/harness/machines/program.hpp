// Other programs that are measured.
#pragma once

#include <string>
#include <vector>

namespace coracle::bench {

// Runs a program, waits for its end, and returns its output; its errors are shown as they come.
// With a negative `processor` the kernel places the program. When the function returns or fails,
// the program and all processes that it started are gone. Fails with NotDone when the program ends
// with another code than 0 or takes longer than `most_seconds`.
std::string output_of(const std::vector<std::string>& command, int processor, double most_seconds);

}  // namespace coracle::bench
