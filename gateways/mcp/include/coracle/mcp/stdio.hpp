// Serves one client that has begun this program and talks with it by standard input and output.
// Tests: gateways/mcp/tests/stdio_test.cpp
#pragma once

#include "coracle/mcp/gateway.hpp"

namespace coracle::mcp {

// Reads messages from `in`, each on a line, and writes those to the client to `out`, until `in`
// ends or cannot be read; requests that are under way then have 2 s, and are called off. The work
// of a tool that a program has added cannot be called off; it goes on with the gateway, for nobody.
// The thread waits meanwhile; it is no worker. Others may not write to `out` until this returns. A
// client that does not read holds up nobody else: the texts that wait for it have a limit, beyond
// which the client is left. Fails with Errc::disconnected if `in` cannot be read.
void serve_stdio(Gateway& gateway, int in = 0, int out = 1);

}  // namespace coracle::mcp
