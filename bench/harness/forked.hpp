// Measures in a child process, so that its memory is its own: what an earlier measurement has left
// in the heap would make the next one look smaller.
#pragma once

#include <functional>
#include <vector>

namespace coracle::bench {

// Runs `measure` in a child process and gives the numbers that it returned there. Fails with
// NotDone when the child fails. Requires that this process has no other thread.
std::vector<double> measured_in_child(const std::function<std::vector<double>()>& measure);

}  // namespace coracle::bench
