// The liveness phase of a run: faults have stopped, and everything that is under way must end
// within a stated time, on every node of the society.
#pragma once

#include "coracle/node.hpp"
#include "trace.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace coracle::conformance {

// The longest time that the end may take after faults have stopped: in virtual time if there is a
// driver.
inline constexpr Duration liveness_limit = std::chrono::seconds(60);

// The longest time until the other nodes notice the loss of a node and give it up.
inline constexpr Duration loss_is_noticed = std::chrono::seconds(45);

// The end of a society, for Trace.
struct Drained {
  Liveness liveness;
  std::vector<StopReport> reports;  // one for each node, in their order
};

// Calls `calm`, which stops all faults, if it is not empty. Lets the messages between nodes arrive,
// and stops the nodes one after the other. `driver` may be nullptr: then the nodes have threads.
// Where nodes were lost, the ledgers of the other nodes do not show which messages are between
// them; then all nodes get as much time as it takes to notice the last loss.
Drained drain(const std::vector<Node*>& nodes, const std::shared_ptr<Driver>& driver,
              const std::shared_ptr<Clock>& clock, Duration allowed,
              const std::function<void()>& calm = {}, bool nodes_were_lost = false);

}  // namespace coracle::conformance
