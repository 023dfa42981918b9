// The society as a platform of FIPA: the names of its agents for others, and the names of foreign
// agents in the society. Tests: gateways/fipa/tests/platform_test.cpp.
#pragma once

#include "coracle/acl/agent_id.hpp"
#include "coracle/name.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coracle::fipa {

// A platform has a name, which is a part of all its agents' names, and shows other platforms only
// those agents that fit one of its patterns.
class Platform {
 public:
  // `name` has no "@" and is not empty. In the patterns, `*` stands for anything within one part of
  // a name, `**` for anything at all: "lab/**". Fails with Errc::bad_options.
  Platform(std::string name, std::vector<std::string> exposed);

  const std::string& name() const noexcept { return name_; }
  // The addresses at which the platform is reached now.
  const std::vector<std::string>& addresses() const noexcept { return addresses_; }
  void set_addresses(std::vector<std::string> addresses) { addresses_ = std::move(addresses); }

  // Returns whether other platforms may know the agent of that name. Nobody knows the gateway's own
  // agents, foreign agents, and agents that are called as the gateway's services: "df" and "ams".
  bool exposes(const Name& agent) const noexcept;
  // The identifier of an agent of the society: lab/ann is "lab/ann@ours".
  acl::AgentId id_of(const Name& agent) const;
  // Returns whether the identifier is one of this platform.
  bool is_ours(const acl::AgentId& id) const;
  // The agent of the society that the identifier means; empty if it is of another platform, is not
  // exposed, or is no name.
  std::optional<Name> agent_of(const acl::AgentId& id) const;

 private:
  std::string name_;
  std::vector<std::string> exposed_;
  std::vector<std::string> addresses_;
};

// The name of a foreign agent in the society: "fipa/zed@p2". Letters are small ones, because FIPA
// does not distinguish them; each byte but ASCII letters, digits and "-._@:+" becomes %41. Fails
// with Errc::bad_name if the agent has no name, or a name that is too long.
Name foreign_name(const acl::AgentId& id);
// The name of the foreign agent that has that name in the society, in small letters; empty if the
// society's name is no such name.
std::optional<std::string> foreign_agent(const Name& name);

}  // namespace coracle::fipa
