// The liveness phase of a run: faults have stopped, and everything that is under way must come to
// its end within a stated time, on every node of the society.
#pragma once

#include "coracle/node.hpp"
#include "trace.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace coracle::contract {

// How long the end may take after faults have stopped: in virtual time where there is a driver.
inline constexpr Duration liveness_limit = std::chrono::seconds(60);

// How long it may take until a node that was lost is known to be, and given up.
inline constexpr Duration loss_is_noticed = std::chrono::seconds(45);

// What the end of a society was like, for Trace.
struct Drained {
  Liveness liveness;
  std::vector<StopReport> reports;  // one for each node, in their order
};

// Calls `calm`, which stops all faults, if there is one; lets what is between nodes arrive, and
// stops the nodes one after the other. `driver` may be nullptr: then the nodes have threads. Where
// nodes were lost the accounts of the others do not say what is between them; then all get as much
// time as it takes to notice the last loss.
Drained drain(const std::vector<Node*>& nodes, const std::shared_ptr<Driver>& driver,
              const std::shared_ptr<Clock>& clock, Duration allowed,
              const std::function<void()>& calm = {}, bool nodes_were_lost = false);

}  // namespace coracle::contract
