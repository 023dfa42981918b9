// A society's service as somebody sees it who only looks: connects, is told everything, and leaves,
// without being a node of agents.
#pragma once

#include "realizations/net/src/asio/network.hpp"
#include "realizations/net/src/link.hpp"
#include "realizations/net/src/society/census.hpp"
#include "realizations/net/src/society/refusals.hpp"
#include "realizations/net/src/society/settings.hpp"

#include "coracle/directory.hpp"
#include "coracle/result.hpp"

#include <map>
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
};

// The service of the realization of that text; nullopt when it has none that is known by its place.
// Fails with Errc::bad_realization, bad_options.
std::optional<ServicePlace> service_of(std::string text);

struct ServiceView {
  std::map<std::string, Entry> agents;
  std::map<std::string, std::vector<std::string>> groups;
  society::Census census;
};

// Looks once. When that fails, `why` says what the other side, or the way to it, had against it.
Result<ServiceView> look_at(const ServicePlace& place, Duration patience, net::Closing* why);

// What its policy has refused since the refusal of that serial.
Result<std::vector<society::Refusal>> refusals_of(const ServicePlace& place, std::uint64_t after,
                                                  Duration patience);

// Whether something answers at such a place, by TLS where that is its scheme.
Result<void> reach(const ServicePlace& place, const net::Endpoint& endpoint, Duration patience);

}  // namespace coracle::command
