// The messages between the agents of a gateway. Each is taken from these agents only, except
// Introduce.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/acl/representation.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::fipa {

// The reason of a failure that a full mailbox causes; it begins as those of JADE.
inline constexpr const char* no_room = "Service error: the agent has no room for more messages";

// A foreign agent is to have a name; the reply is the name as a text.
struct Introduce {
  static constexpr std::string_view content_type = "coracle/fipa/introduce/v1";
  acl::AgentId agent;
};

// The gateway's directory facilitator shall become a child of another one, or end that; the reply
// says that it is done.
struct Federate {
  static constexpr std::string_view content_type = "coracle/fipa/federate/v1";
  acl::AgentId parent;
  bool joins = true;
};

// A message has come from another platform, in that form.
struct Arrived {
  static constexpr std::string_view content_type = "coracle/fipa/arrived/v1";
  acl::Message message;
  std::vector<acl::AgentId> receivers;
  acl::Representation form = acl::Representation::string;
  std::string host;  // that has sent it; empty: unknown
};

// A foreign agent shall send a message to an agent of the society.
struct Deliver {
  static constexpr std::string_view content_type = "coracle/fipa/deliver/v1";
  std::string to;
  acl::Message message;
};

// An agent of the society has sent a message to a foreign agent.
struct Passed {
  static constexpr std::string_view content_type = "coracle/fipa/passed/v1";
  std::string from;
  acl::Message message;
};

// A foreign agent could not deliver a message, for that reason, which other platforms may read.
struct Undelivered {
  static constexpr std::string_view content_type = "coracle/fipa/undelivered/v1";
  Deliver what;
  std::string reason;
};

// A request of an agent of the society did not reach the foreign agent, as that notice of either
// platform says, which is its reply.
struct Failed {
  static constexpr std::string_view content_type = "coracle/fipa/failed/v1";
  std::string to;
  acl::Message notice;
};

// A foreign agent shall have these properties in the society's directory.
struct Describe {
  static constexpr std::string_view content_type = "coracle/fipa/describe/v1";
  std::vector<std::pair<std::string, std::string>> properties;
};

// The receiver shall end.
struct End {
  static constexpr std::string_view content_type = "coracle/fipa/end/v1";
  bool now = true;
};

}  // namespace coracle::fipa
