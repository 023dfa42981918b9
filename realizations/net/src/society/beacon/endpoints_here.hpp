// The endpoints at which this host can be reached.
#pragma once

#include "realizations/net/src/endpoint.hpp"

#include <string>
#include <vector>

namespace coracle::society {

// Returns the endpoints to announce for a place where we listen: the place itself or, when the
// place means every address of this host, each of these addresses.
std::vector<net::Endpoint> announced_endpoints(const net::Endpoint& place);

// Returns a text that identifies this host since its start, and within one network: two processes
// with the same text can meet at a file that both see. Eight digits; empty if the system does not
// provide them.
const std::string& this_host();
// A node announces this text among its endpoints, if it listens at a Unix socket.
std::string host_text();
// Returns the endpoints of these texts, as far as they can be parsed. A Unix socket of another host
// is left out: hosts that share a folder, such as those made of network namespaces, would bypass
// the network.
std::vector<net::Endpoint> endpoints_from(const std::vector<std::string>& texts);

}  // namespace coracle::society
