// A society's service as somebody sees it who only looks: connects, is told everything, and leaves,
// without being a node of agents.
#pragma once

#include "realizations/net/src/link.hpp"
#include "realizations/net/src/society/census.hpp"
#include "realizations/net/src/society/refusals.hpp"
#include "service_place.hpp"

#include "coracle/directory.hpp"
#include "coracle/result.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coracle::command {

// How long a service has for its answer.
inline constexpr Duration patience_with_service = std::chrono::seconds(20);

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

}  // namespace coracle::command
