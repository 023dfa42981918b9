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

// The longest time until links that were cut are whole again, and late replies have come.
inline constexpr Duration links_are_whole = std::chrono::seconds(10);

// The end of a society, for Trace.
struct Drained {
  Liveness liveness;
  std::vector<StopReport> reports;  // one for each node, in their order
};

// Calls `calm`, which stops all faults, if it is not empty. Lets the messages between nodes arrive,
// and stops the nodes one after the other. `driver` may be nullptr: then the nodes have threads.
// With `settling`, all nodes go on for that time instead. They must where nodes were lost, because
// the ledgers of the others do not show which messages are between them.
Drained drain(const std::vector<Node*>& nodes, const std::shared_ptr<Driver>& driver,
              const std::shared_ptr<Clock>& clock, Duration allowed,
              const std::function<void()>& calm = {}, Duration settling = {});

}  // namespace coracle::conformance
