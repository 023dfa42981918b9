// Letters that have come: they are checked, and their messages go to the gate.
// Tests: tests/platforms/lies_test.cpp, gateways/fipa/tests/gateway_test.cpp.
#pragma once

#include "coracle/fipa/letter.hpp"
#include "coracle/fipa/platform.hpp"

#include "coracle/agent.hpp"
#include "coracle/name.hpp"

namespace coracle::fipa {

// Gives the message of a letter to the agent `gate` of that platform. Fails with
// Errc::bad_encoding and Errc::too_large if the letter is not readable, Errc::not_permitted if the
// message names a sender that no other platform has, and others if the gate cannot take it. The
// sentences name no agent of the society: other platforms read them. `platform` outlives the task.
Task<> arrive(Agent& me, Name gate, Letter letter, const Platform& platform);

}  // namespace coracle::fipa
