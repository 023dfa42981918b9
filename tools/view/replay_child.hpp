// Runs the program of a recording again, as a process of its own, with one message changed.
#pragma once

#include "coracle/view/viewer.hpp"

#include "coracle/recording/recording.hpp"

#include <string>

namespace coracle::command {

// The reason why the recording in `file` cannot be replayed by `program`; empty if it can.
std::string no_replay(const recording::Recording& recording, const std::string& program);

// Runs `program`, which opens its realization by name, for at most a minute. Its messages are
// recorded again, in a folder that is removed. Fails with Errc::unsupported when the program cannot
// be started, or has replayed nothing.
view::ReplayedRun run_again(const std::string& program, const std::string& file,
                            const view::ReplayChange& change);

}  // namespace coracle::command
