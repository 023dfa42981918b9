// The states that nodes announce to each other about the society's message store.
#pragma once

#include "coracle/support/core_frames.hpp"

#include <cstdint>

namespace coracle::detail {

class NodeCore;
class Peers;

// Returns the state of this node as a message store.
std::uint8_t store_state_of(const NodeCore& node);
// Sends what this node keeps. A node that keeps nothing thereby asks the receiver what it keeps.
void send_store_state(Peers& peers, LeaseId to, std::uint8_t keeps);

}  // namespace coracle::detail
