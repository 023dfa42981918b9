// The properties of an agent in the society's directory as a description for a directory
// facilitator, and back.
#pragma once

#include "coracle/acl/ontology/management.hpp"
#include "coracle/query.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coracle::fipa {

// An agent of the society has one service. Its type is the property "service", or else "agent"; its
// name is that of the agent. All properties are properties of the service.
acl::management::DfAgentDescription description_of(const acl::AgentId& id,
                                                   const Properties& properties);
// The properties of a foreign agent: "service" is the type of its first service, "services" has all
// types, and each property of a service is one.
std::vector<std::pair<std::string, std::string>> texts_of(
    const acl::management::DfAgentDescription& entry);

}  // namespace coracle::fipa
