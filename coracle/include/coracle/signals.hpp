// Programs that end in order when they are told to by a signal.
// Contract: coracle/tests/signals_test.cpp
#pragma once

#include "coracle/node.hpp"

#include <chrono>

namespace coracle {

// Waits until every agent of the node has ended, or the process gets SIGINT or SIGTERM; returns
// whether it was a signal. Another one after that does what it did before the call, which is
// mostly to end the process at once. One thread at a time may be in here; what else the program
// does with these two signals is suspended meanwhile. Fails with Errc::wrong_thread when called
// from an agent.
bool wait_until_signal(Node& node);

// The same, and then stops the node: agents that wait for messages read what is under way and end.
StopReport run_until_signal(Node& node, Deadline deadline = std::chrono::seconds(10));

}  // namespace coracle
