// Programs that end in order when they receive a signal.
// Tests: coracle/tests/runtime/signals_test.cpp
#pragma once

#include "coracle/node.hpp"

#include <chrono>

namespace coracle {

// Waits until every agent of the node has ended, or the process gets SIGINT or SIGTERM; returns
// whether a signal came. A second signal has the effect that it had before the call, which is
// usually to end the process at once. One thread at a time may be in this function; the program's
// own handling of these two signals is suspended meanwhile. Fails with Errc::wrong_thread when
// called from an agent.
bool wait_until_signal(Node& node);

// The same, and then stops the node: agents that wait for messages read the messages under way and
// end.
StopReport run_until_signal(Node& node, Deadline deadline = std::chrono::seconds(10));

}  // namespace coracle
