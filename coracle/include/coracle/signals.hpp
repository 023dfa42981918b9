// Programs that end in order when they receive a signal.
// Tests: coracle/tests/runtime/signals_test.cpp
#pragma once

#include "coracle/node.hpp"

#include <chrono>
#include <memory>

namespace coracle {

// From its construction on, SIGINT and SIGTERM, each once, do not end the process but the next
// wait_until_signal(), also if they come before it begins. A program makes one before it joins a
// society, so that it leaves in order whenever it is told to; a second signal ends it at once. One
// at a time may exist. Fails with Errc::limit_reached when no descriptors are left.
class EarlySignals {
 public:
  EarlySignals();
  EarlySignals(const EarlySignals&) = delete;
  EarlySignals& operator=(const EarlySignals&) = delete;
  ~EarlySignals();

 private:
  friend bool wait_until_signal(Node& node);
  class Impl;
  std::unique_ptr<Impl> impl_;
};

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
