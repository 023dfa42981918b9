// Where this host can be reached.
#pragma once

#include "realizations/net/src/endpoint.hpp"

#include <string>
#include <vector>

namespace coracle::society {

// What others are to be told of a place where we listen: itself, or, when it is every address of
// this host, each of them.
std::vector<net::Endpoint> told_for(const net::Endpoint& place);

// Stands for this host as far as a file that two processes see makes them meet on it: since it was
// started, and within one network. Eight digits; empty if the system does not say.
const std::string& this_host();
// A node tells this among its endpoints, if it listens at a Unix socket.
std::string host_text();
// The endpoints of these texts, as far as they can be understood. A Unix socket of another host is
// none: hosts that share a folder, such as those made of network namespaces, would speak past the
// network.
std::vector<net::Endpoint> endpoints_from(const std::vector<std::string>& texts);

}  // namespace coracle::society
