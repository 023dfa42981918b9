// The place of a society's service: as the text of a realization gives it, or as a node finds it.
#pragma once

#include "realizations/net/src/society/beacon/beacon_socket.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include "coracle/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coracle::command {

// The place of a service, and the proof with which it lets a client in.
struct ServicePlace {
  std::string service;  // its kind: "clearinghouse", "directory"
  std::string society;
  society::Proof proof;
  std::vector<net::Endpoint> endpoints;
  // For a directory that the text does not name: the beacon by which it is looked for, if there is
  // one, and the Unix socket of the directory that a node of this user carries on this host.
  std::optional<society::BeaconPlace> beacon = {};
  std::optional<net::Endpoint> own = {};
};

// The service of the realization of that text; nullopt for a society of one process, which has no
// service. Fails with Errc::bad_realization, bad_options.
std::optional<ServicePlace> service_of(std::string text);

// The same place with the endpoints that a node would try: those that are named, or those of the
// directories that answer the beacon, or this user's own socket. Fails with Errc::unreachable.
Result<ServicePlace> found(ServicePlace place, Duration patience);

// Both steps in one. Also fails with Errc::unsupported when there is no service.
ServicePlace service_to_ask(const std::string& text, Duration patience);

// Checks that a service answers at such a place, with TLS if its scheme asks for that.
Result<void> reach(const ServicePlace& place, const net::Endpoint& endpoint, Duration patience);

}  // namespace coracle::command
