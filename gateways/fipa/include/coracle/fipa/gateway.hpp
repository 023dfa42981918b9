// A gateway to platforms of FIPA. It is a platform itself: the society's agents that it exposes
// have identifiers, ann@ours, and foreign agents have names in the society, fipa/zed@p2. A message
// to such a name goes to the foreign agent; its messages come from that name. The gateway has an
// agent management system, ams@ours, and a directory facilitator, df@ours. Tests:
// gateways/fipa/tests/gateway_test.cpp.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/acl/representation.hpp"
#include "coracle/fipa/facilitator.hpp"
#include "coracle/fipa/management_system.hpp"
#include "coracle/fipa/mtp.hpp"

#include "coracle/agent.hpp"
#include "coracle/node.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::fipa {

// The options of a gateway.
struct GatewayOptions {
  // The name of the platform, which is unique in the world.
  std::string platform;
  // The agents of the society that other platforms may know: "lab/**". Nobody is exposed by
  // default.
  std::vector<std::string> exposed = {};
  // The form of messages to agents that have not sent any. The others get theirs.
  acl::Representation form = acl::Representation::string;
  // The foreign agents that have a name in the society, in all and of one platform. Beyond a limit,
  // the one that was idle for longest loses its name; those that the society has introduced or
  // sent to keep theirs longer than the others.
  std::size_t foreign_agents = 10'000;
  std::size_t foreign_agents_per_platform = 1'000;
  // The letters that are being sent, in all and to one address. Beyond a limit, their senders get a
  // failure.
  std::size_t letters = 10'000;
  std::size_t letters_per_address = 1'000;
  FacilitatorLimits facilitator = {};
  ManagementLimits management = {};
};

class GatewayState;

// A gateway; it works from its construction to its end.
class Gateway {
 public:
  // Makes the gateway's agents, "fipa" and "fipa/transport". `node` outlives it. Fails with
  // Errc::bad_options, and as Node::adopt() does.
  Gateway(Node& node, GatewayOptions options);
  // Ends the transports, and the names of foreign agents.
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  // Adds a transport, which begins to receive. Fails as Mtp::begin() does.
  void plug(std::shared_ptr<Mtp> mtp);
  // Ends a transport and removes it; returns false if there is none of that name.
  bool unplug(std::string_view name);
  // The addresses at which the platform is reached now.
  std::vector<std::string> addresses() const;

  // The identifier of an agent of the society for other platforms.
  acl::AgentId id_of(const Name& agent) const;
  // Gives a foreign agent its name in the society, or a name that exists its present addresses. An
  // agent that has sent a message has its name already, with the addresses of its first message;
  // those of a later one are used when the known addresses take no letters. Fails with
  // Errc::bad_name, and as Node::adopt() does.
  Name introduce(const acl::AgentId& foreign);

  // Makes the gateway's directory facilitator a child of another one, which then passes searches on
  // to it, and ends that; each returns when the other has answered. Fail with Errc::refused and the
  // answer of the other, with Errc::expired, and with Errc::unanswered after 100 later calls of
  // other threads.
  void join(const acl::AgentId& parent, Deadline deadline = std::chrono::seconds(60));
  void leave(const acl::AgentId& parent, Deadline deadline = std::chrono::seconds(60));

 private:
  const std::unique_ptr<GatewayState> state_;
};

// The same for an agent of any node of the society; the agent "fipa" does it. The addresses of a
// name that exists are used when the known ones take no letters.
Task<Name> introduce(Agent& me, acl::AgentId foreign);

}  // namespace coracle::fipa
