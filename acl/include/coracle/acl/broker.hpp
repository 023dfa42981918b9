// The work of a broker and of a recruiter on one proxy message, for converse() of a Participant.
// The agent itself finds the targets that the proxy describes. Tests: tests/fipa/auctions_test.cpp.
#pragma once

#include "coracle/acl/participant.hpp"

#include <vector>

namespace coracle::acl {

// Passes the message of the proxy on to the targets, and their answers back. A proxy that cannot be
// read is not understood; one whose message cannot be passed on is refused (brokered_protocol());
// without targets, the client gets a failure. A client's cancel ends it.
Task<> serve_as_broker(Participant& self, Talk& talk, std::vector<AgentId> targets,
                       Terms terms = {});
// Passes the message of the proxy on to the targets, which answer the client by themselves.
Task<> serve_as_recruiter(Participant& self, Talk& talk, std::vector<AgentId> targets);

}  // namespace coracle::acl
