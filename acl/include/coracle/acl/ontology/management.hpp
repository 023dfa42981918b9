// The ontology FIPA-Agent-Management: the descriptions of agents, services and platforms, and the
// actions of directory facilitators (DF) and agent management systems (AMS), as structs.
// Tests: acl/tests/ontology/management_test.cpp.
#pragma once

#include "coracle/acl/ontology/frame.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace coracle::acl::management {

// The name of the ontology in messages.
inline constexpr std::string_view ontology = "FIPA-Agent-Management";

// A property of a service. Without a value, it matches every value, as a template. JADE also has a
// frame for several values, which is read here, too.
struct Property {
  static constexpr auto frame = by_name("property", "name", "value");
  static constexpr std::string_view other_symbol = "multi-value-property";

  std::string name;
  std::optional<sl::Term> value;

  bool operator==(const Property&) const = default;
};

// A service of an agent. In a template, an absent field matches everything.
struct ServiceDescription {
  static constexpr auto frame =
      by_name("service-description", "name", "type", "ownership", as_set("protocols"),
              as_set("languages"), as_set("ontologies"), as_set("properties"));

  std::optional<std::string> name;
  std::optional<std::string> type;
  std::optional<std::string> ownership;
  std::vector<std::string> protocols;
  std::vector<std::string> languages;
  std::vector<std::string> ontologies;
  std::vector<Property> properties;

  bool operator==(const ServiceDescription&) const = default;
};

// The entry of an agent in a DF, or a template of entries.
struct DfAgentDescription {
  static constexpr auto frame =
      by_name("df-agent-description", "name", as_set("services"), as_set("protocols"),
              as_set("languages"), as_set("ontologies"), "lease-time");

  std::optional<AgentId> name;
  std::vector<ServiceDescription> services;
  std::vector<std::string> protocols;
  std::vector<std::string> languages;
  std::vector<std::string> ontologies;
  // The time at which the entry ends; without one, it stays for ever.
  std::optional<DateTime> lease_time;

  bool operator==(const DfAgentDescription&) const = default;
};

// The limits of a search. For a DF of JADE, an absent max_results is 1, and -1 is as many as it
// permits.
struct SearchConstraints {
  static constexpr auto frame =
      by_name("search-constraints", "max-depth", "max-results", "search-id");

  std::optional<std::int64_t> max_depth;
  std::optional<std::int64_t> max_results;
  std::optional<std::string> search_id;

  bool operator==(const SearchConstraints&) const = default;
};

// The entry of an agent in an AMS, or a template of entries.
struct AmsAgentDescription {
  static constexpr auto frame = by_name("ams-agent-description", "name", "ownership", "state");

  std::optional<AgentId> name;
  std::optional<std::string> ownership;
  // initiated, active, suspended, waiting or transit; JADE has latent, too.
  std::optional<std::string> state;

  bool operator==(const AmsAgentDescription&) const = default;
};

// A service of a platform, such as a transport.
struct ApService {
  static constexpr auto frame = by_name("ap-service", "name", "type", "addresses");

  std::string name;
  std::string type;
  std::vector<std::string> addresses;

  bool operator==(const ApService&) const = default;
};

// A platform. JADE puts quotation marks into the name.
struct ApDescription {
  static constexpr auto frame = by_name("ap-description", "name", "ap-services");

  std::string name;
  std::vector<ApService> services;

  bool operator==(const ApDescription&) const = default;
};

// The description of an agent, for a DF or for an AMS.
using AgentDescription = std::variant<DfAgentDescription, AmsAgentDescription>;

// The actions. A DF takes a DfAgentDescription, an AMS an AmsAgentDescription.
struct Register {
  static constexpr auto frame = by_order("register", "description");
  AgentDescription description;

  bool operator==(const Register&) const = default;
};
struct Deregister {
  static constexpr auto frame = by_order("deregister", "description");
  AgentDescription description;

  bool operator==(const Deregister&) const = default;
};
struct Modify {
  static constexpr auto frame = by_order("modify", "description");
  AgentDescription description;

  bool operator==(const Modify&) const = default;
};
struct Search {
  static constexpr auto frame = by_order("search", "description", "constraints");
  AgentDescription description;
  SearchConstraints constraints;

  bool operator==(const Search&) const = default;
};
struct GetDescription {
  static constexpr auto frame = by_order("get-description");

  bool operator==(const GetDescription&) const = default;
};

using Action = std::variant<Register, Deregister, Modify, Search, GetDescription>;

// Matching, as a DF and an AMS search: an absent field of the template matches everything; texts
// are compared in any case of their ASCII letters; each element of a set in the template matches
// some element of the entry; each element of a sequence matches a later element than the one before
// it. An entry whose lease has ended by `now` matches nothing.
bool matches(const DfAgentDescription& pattern, const DfAgentDescription& entry, CalendarTime now);
bool matches(const AmsAgentDescription& pattern, const AmsAgentDescription& entry);
bool matches(const ServiceDescription& pattern, const ServiceDescription& entry);
bool matches(const AgentId& pattern, const AgentId& entry);

}  // namespace coracle::acl::management
