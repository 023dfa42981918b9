// Alarms in the simulated world.
#pragma once

#include "realizations/net/src/link.hpp"
#include "simulated_network.hpp"

#include <memory>

namespace coracle::net {

// Alarms of the program of one node: they ring late while it is paused, and never once it is
// killed. The references outlive them.
std::unique_ptr<Alarms> sim_alarms(EventQueue& queue, SimNetwork& network, NodeId node);

}  // namespace coracle::net
