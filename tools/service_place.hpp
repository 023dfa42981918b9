// Where the service of a society is: as the text of a realization says, or as a node finds it.
#pragma once

#include "realizations/net/src/society/beacon_socket.hpp"
#include "realizations/net/src/society/settings.hpp"

#include "coracle/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coracle::command {

// Where a service is, and how one is let in.
struct ServicePlace {
  std::string service;  // what it is: "clearinghouse", "directory"
  std::string society;
  society::Proof proof;
  std::vector<net::Endpoint> endpoints;
  // Of a directory that the text does not name: the beacon by which it is looked for, if so, and
  // the Unix socket of the one that a node of this user carries on this host.
  std::optional<society::BeaconPlace> beacon = {};
  std::optional<net::Endpoint> own = {};
};

// The service of the realization of that text; nullopt when it is a society of one process, which
// has none. Fails with Errc::bad_realization, bad_options.
std::optional<ServicePlace> service_of(std::string text);

// With the endpoints that a node would try: those that are named, or those of the directories that
// answer the beacon, or the socket of this user's own. Fails with Errc::unreachable.
Result<ServicePlace> found(ServicePlace place, Duration patience);

// The two in one. Also fails with Errc::unsupported when there is no service to ask.
ServicePlace service_to_ask(const std::string& text, Duration patience);

// Whether something answers at such a place, by TLS where that is its scheme.
Result<void> reach(const ServicePlace& place, const net::Endpoint& endpoint, Duration patience);

}  // namespace coracle::command
