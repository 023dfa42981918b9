// The description of an agent that others find: its card.
// Tests: gateways/a2a/tests/card_json_test.cpp
#pragma once

#include "coracle/a2a/model.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::a2a {

// A place at which an agent is reached.
struct AgentInterface {
  std::string url;
  std::string protocol_binding;  // JSONRPC, HTTP+JSON, GRPC, or a URI
  std::string tenant = {};
  std::string protocol_version = "1.0";

  friend bool operator==(const AgentInterface&, const AgentInterface&) = default;
};

struct AgentProvider {
  std::string url;
  std::string organization;

  friend bool operator==(const AgentProvider&, const AgentProvider&) = default;
};

struct AgentExtension {
  std::string uri;
  std::string description = {};
  bool required = false;
  Json params = {};  // an object, or null

  friend bool operator==(const AgentExtension&, const AgentExtension&) = default;
};

struct AgentCapabilities {
  std::optional<bool> streaming = {};
  std::optional<bool> push_notifications = {};
  std::vector<AgentExtension> extensions = {};
  std::optional<bool> extended_agent_card = {};

  friend bool operator==(const AgentCapabilities&, const AgentCapabilities&) = default;
};

// Schemes of security that are needed together, each with its scopes.
using SecurityRequirement = std::vector<std::pair<std::string, std::vector<std::string>>>;

struct AgentSkill {
  std::string id;
  std::string name;
  std::string description;
  std::vector<std::string> tags = {};
  std::vector<std::string> examples = {};
  std::vector<std::string> input_modes = {};
  std::vector<std::string> output_modes = {};
  std::vector<SecurityRequirement> security_requirements = {};

  friend bool operator==(const AgentSkill&, const AgentSkill&) = default;
};

// A signature of the card, in the form of a JSON Web Signature.
struct AgentCardSignature {
  std::string protected_header;
  std::string signature;
  Json header = {};  // an object, or null

  friend bool operator==(const AgentCardSignature&, const AgentCardSignature&) = default;
};

struct AgentCard {
  std::string name;
  std::string description;
  std::vector<AgentInterface> supported_interfaces = {};  // the preferred one first
  std::optional<AgentProvider> provider = {};
  std::string version;
  std::optional<std::string> documentation_url = {};
  AgentCapabilities capabilities = {};
  // Each scheme is an object as the specification has it, such as
  // {"httpAuthSecurityScheme": {"scheme": "Bearer"}}.
  std::vector<std::pair<std::string, Json>> security_schemes = {};
  std::vector<SecurityRequirement> security_requirements = {};
  std::vector<std::string> default_input_modes = {};
  std::vector<std::string> default_output_modes = {};
  std::vector<AgentSkill> skills = {};
  std::vector<AgentCardSignature> signatures = {};
  std::optional<std::string> icon_url = {};

  friend bool operator==(const AgentCard&, const AgentCard&) = default;
};

}  // namespace coracle::a2a
