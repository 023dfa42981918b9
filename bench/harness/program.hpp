// Other programs that are measured.
#pragma once

#include <string>
#include <vector>

namespace coracle::bench {

// Runs a program, waits for its end, and gives what it printed; its errors are shown as they come.
// A negative `processor` lets the kernel place it. When this returns or fails, it and all that it
// started are gone. Fails with NotDone when it ends with another code than 0 or takes longer than
// `most_seconds`.
std::string output_of(const std::vector<std::string>& command, int processor, double most_seconds);

}  // namespace coracle::bench
