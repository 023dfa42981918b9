// Why a node is not let into its society, and what to do about it: the node that fails says the
// same as `coracle doctor`.
#pragma once

#include "realizations/net/src/session.hpp"

#include <string>

namespace coracle::society {

// Whether trying again would not help.
bool is_final(net::Reason reason);
// Why a connection to a service failed, and what to do where that is not in it yet.
std::string with_advice(const net::Closing& why);

}  // namespace coracle::society
