// The identifier of an agent in the language of FIPA: a name that is unique in the world, and the
// addresses of the platform where the agent is reached. Tests: acl/tests/message_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::acl {

// Parameters that users define: names without "X-", and values, in the order in which they travel.
using Parameters = std::vector<std::pair<std::string, std::string>>;

// An agent identifier (AID). Its equality compares every field; is_same_agent() compares agents.
// All fields have initializers, so that g++ does not warn where some are left out.
struct AgentId {
  // "ann@lab". An empty name: no agent.
  std::string name{};
  // URLs, in the order in which a sender tries them.
  std::vector<std::string> addresses{};
  // Agents that can name further addresses.
  std::vector<AgentId> resolvers{};
  Parameters user{};

  bool operator==(const AgentId&) const = default;
};

// Returns whether both identifiers mean the same agent: their names are equal, apart from the case
// of ASCII letters.
bool is_same_agent(const AgentId& a, const AgentId& b) noexcept;
// The part of an agent's name before its last "@": "ann"; the whole name if it has none.
std::string_view local_part(std::string_view name) noexcept;
// The part of an agent's name behind its last "@": "lab"; empty if it has none.
std::string_view platform_part(std::string_view name) noexcept;

// The deepest nesting of resolvers that the codecs of this layer read or write.
inline constexpr std::size_t max_resolver_depth = 8;

}  // namespace coracle::acl
