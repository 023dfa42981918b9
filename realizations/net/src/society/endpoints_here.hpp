// Where this host can be reached.
#pragma once

#include "realizations/net/src/endpoint.hpp"

#include <vector>

namespace coracle::society {

// What others are to be told of a place where we listen: itself, or, when it is every address of
// this host, each of them.
std::vector<net::Endpoint> told_for(const net::Endpoint& place);

}  // namespace coracle::society
