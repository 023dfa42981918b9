// A society's service as a mere observer sees it: the client connects, receives everything, and
// leaves, without being a node of agents.
#pragma once

#include "realizations/net/src/link.hpp"
#include "realizations/net/src/society/policy/refusals.hpp"
#include "realizations/net/src/society/service/census.hpp"
#include "service_place.hpp"

#include "coracle/directory.hpp"
#include "coracle/result.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coracle::command {

// The time that a service has for its answer.
inline constexpr Duration patience_with_service = std::chrono::seconds(20);

struct ServiceView {
  std::map<std::string, Entry> agents;
  std::map<std::string, std::vector<std::string>> groups;
  society::Census census;
};

// Looks once. When that fails, `why` gets the reason of the other side or of the network.
Result<ServiceView> look_at(const ServicePlace& place, Duration patience, net::Closing* why);

// The refusals by the service's policy since the refusal with that serial.
Result<std::vector<society::Refusal>> refusals_of(const ServicePlace& place, std::uint64_t after,
                                                  Duration patience);

}  // namespace coracle::command
