// Handlers that run as tasks of an agent: they may send, ask and wait, as agents do.
// Tests: gateways/http/tests/agent_test.cpp
#pragma once

#include "coracle/http/server.hpp"
#include "coracle/port.hpp"
#include "coracle/task.hpp"

#include <functional>

namespace coracle::http {

// Makes a handler that runs `body` as a task of the port's agent, for each request; the requests of
// different clients run beside each other. If an exception leaves `body`, the response is an error:
// 503 if the node stops or a mailbox is full, 504 for Errc::expired, 403 for Errc::not_permitted,
// 413 for Errc::too_large, 502 if the agent that was asked has failed, is gone or has refused, else
// 500. The error's sentence goes to the log, not to the client. The port outlives the server.
Handler handled_by(Port& port, std::function<Task<Response>(Agent&, Request)> body);

// The same for a task that responds by a Responder, for example with a stream.
Handler handled_by(Port& port, std::function<Task<>(Agent&, Request, Responder)> body);

}  // namespace coracle::http
