// The envelope with which platforms of FIPA send a message to each other (FIPA00067): its path, and
// the form of the message within it. Forms of the envelope: <coracle/acl/envelope_codec.hpp>.
// Tests: acl/tests/codecs/envelope_xml_test.cpp, acl/tests/codecs/envelope_bits_test.cpp.
#pragma once

#include "coracle/acl/agent_id.hpp"
#include "coracle/acl/date_time.hpp"
#include "coracle/acl/message.hpp"
#include "coracle/acl/representation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coracle::acl {

// The mark that a platform leaves when it has received the envelope.
struct Stamp {
  // The URL of the platform that received it, and of the one that sent it.
  std::string by{};
  std::string from{};
  std::optional<DateTime> date{};
  // The message's number at the platform, and the transport that brought it.
  std::string id{};
  std::string via{};
  Parameters user{};

  bool operator==(const Stamp&) const = default;
};

// A property that users define.
struct Property {
  std::string name{};
  std::string value{};
  // "string", or what JADE calls "byte-array" and "serialized", whose value is text of JADE's.
  std::string type = "string";

  bool operator==(const Property&) const = default;
};

// An empty text, list or optional: the envelope has no such field.
struct Envelope {
  std::vector<AgentId> to{};
  AgentId from{};
  std::string comments{};
  // The form of the message, as to_text(Representation) names it.
  std::string representation{};
  // The bytes of the message in this form, and their character set.
  std::optional<std::uint64_t> payload_length{};
  std::string payload_encoding{};
  std::optional<DateTime> date{};
  // The agents to which a platform delivers the message. JADE delivers to nobody else.
  std::vector<AgentId> intended_receivers{};
  // The newest first.
  std::vector<Stamp> received{};
  Body transport_behaviour{};
  std::vector<Property> user{};

  bool operator==(const Envelope&) const = default;
};

}  // namespace coracle::acl
