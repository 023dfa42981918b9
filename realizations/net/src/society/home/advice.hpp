// Explains why a node is refused by its society, and what to do about it, so that the failing node
// and `coracle doctor` report the same.
#pragma once

#include "realizations/net/src/session.hpp"

#include <string>

namespace coracle::society {

// Returns whether another attempt would not help.
bool is_final(net::Reason reason);
// Returns why a connection to a service failed, and what to do where the reason does not include
// that.
std::string with_advice(const net::Closing& why);

}  // namespace coracle::society
