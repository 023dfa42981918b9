// Clients and bidders of caf that deal with agents of FIPA: the roles "client" and "contractor".
#pragma once

#include "json.hpp"

#include "coracle/fipa/gateway.hpp"
#include "coracle/node.hpp"

#include <string>

namespace coracle::player {

// Makes the agents of such a role; returns false if the command names another role.
bool make_contracting(Node& node, const std::string& platform, const json::object& command);

}  // namespace coracle::player
