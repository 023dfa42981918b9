// An agent management system (AMS) of FIPA as a state machine: it knows the agents of the platform,
// and describes the platform. A foreign agent may enter, change and remove its own name only; the
// society's agents are entered by the society. Tests:
// gateways/fipa/tests/management_system_test.cpp.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/ontology/management.hpp"
#include "coracle/fipa/detail/entries.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace coracle::fipa {

// The limits of an agent management system.
struct ManagementLimits {
  // Entries in all, those of agents of one foreign platform, and those that one host has sent. If
  // there is no room, the host with the most entries loses one to a host with fewer.
  std::size_t entries = 10'000;
  std::size_t entries_per_platform = 1'000;
  std::size_t entries_per_host = 4'000;
  // The most results of one search.
  std::size_t results = 1'000;
};

class ManagementSystem {
 public:
  using Description = acl::management::AmsAgentDescription;

  // `self` is the identifier of the system, which is its first entry.
  explicit ManagementSystem(acl::AgentId self, ManagementLimits limits = {});

  // The system is reached at other addresses now.
  void set_self(acl::AgentId self);
  // The platform, as get-description gives it.
  void describe(acl::management::ApDescription platform) { platform_ = std::move(platform); }
  // An agent of the society exists from now on, or no more.
  void put_own(const acl::AgentId& agent);
  void remove_own(const std::string& name);
  // Handles a message to the system, which that host has sent; empty: it is of this society.
  // Returns the answers.
  std::vector<acl::Message> on_message(const acl::Message& message, acl::CalendarTime now,
                                       const std::string& host = {});

  std::size_t entries() const noexcept { return entries_.size(); }

 private:
  acl::Message act(const acl::Message& message, const acl::AskedAction& asked,
                   acl::CalendarTime now, const std::string& host);
  acl::Message change(const acl::Message& message, const std::string& text,
                      const acl::management::Action& action, const std::string& host);
  void put(const std::string& key, const Description& entry, const std::string& host);

  acl::AgentId self_;
  ManagementLimits limits_;
  detail::Entries<Description> entries_;
  acl::management::ApDescription platform_;
};

}  // namespace coracle::fipa
