// The surroundings of conversations that go through a gateway: acl::contract_net(),
// acl::Participant and others take them, and then reach agents of other platforms.
// Tests: gateways/fipa/tests/surroundings_test.cpp.
#pragma once

#include "coracle/acl/settings.hpp"

#include <string>

namespace coracle::fipa {

// The names of agents as a gateway of the platform `platform` gives them: ann@oslo is "ann" at the
// platform "oslo", zed@p2 is foreign_name(), "fipa/zed@p2", and the gateway itself answers for its
// services, ams@oslo and df@oslo.
acl::Naming naming(std::string platform);

// These names, and the machine's calendar, so that the dates in a reply-by of another platform have
// a meaning. It is for nodes whose clock is that of the machine, as it is by default.
acl::Settings settings(std::string platform);

}  // namespace coracle::fipa
