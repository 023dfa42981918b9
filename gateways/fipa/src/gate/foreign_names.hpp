// The foreign agents that have a name in the society, and the addresses at which they are reached.
// Tests: gateways/fipa/tests/foreign_names_test.cpp
#pragma once

#include "coracle/acl/agent_id.hpp"
#include "coracle/acl/message.hpp"
#include "coracle/acl/representation.hpp"
#include "coracle/name.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::fipa {

// The one that has named a foreign agent's addresses: each is believed rather than those before.
enum class NamedBy : std::uint8_t { letter, agent, program };

// A foreign agent that has a name in the society.
struct ForeignEntry {
  acl::AgentId id;  // with the addresses that are used
  NamedBy by = NamedBy::letter;
  std::vector<std::string> claimed;  // those of its latest letter, which may be another's
  acl::Representation form = acl::Representation::string;
  Name name;             // in the society
  std::string requests;  // the beginning of the identifiers of requests to it
  bool is_wanted;        // the society has introduced it, or has sent to it
  std::list<std::string>::iterator use;
};

class ForeignNames {
 public:
  ForeignNames(std::size_t most, std::size_t most_of_platform) noexcept
      : most_(most), most_of_platform_(most_of_platform) {}

  // The agent with that identifier, whatever its case, or with that name in the society; nullptr if
  // it has no name.
  const ForeignEntry* find(std::string_view id) const;
  const ForeignEntry* named(const Name& name) const;
  const std::map<std::string, ForeignEntry>& all() const noexcept { return all_; }

  // The agent is named once more. Nothing proves who has sent a letter. So a letter does not change
  // the addresses of an agent that is known: its addresses are tried when the known ones take no
  // letters any more. Returns the agent; nullptr if it has no name yet.
  const ForeignEntry* name_again(const acl::AgentId& id, acl::Representation form, NamedBy by);
  // Takes the name from the agent that was idle for longest, if there is no room for another one of
  // that platform: from one that has only sent letters, if there is one. Returns that name.
  std::optional<Name> make_room_for(const acl::AgentId& id);
  void add(acl::AgentId id, acl::Representation form, NamedBy by, Name name, std::string requests);
  // The society has sent to that agent.
  void want(std::string_view id);
  // A letter has reached that agent at that address, behind those that were tried in vain. An
  // answer goes to the addresses that it was given, and so proves nothing about the known ones.
  void on_reached(std::string_view id, const std::vector<std::string>& in_vain,
                  const std::string& address);

  // The addresses of an agent, in the order in which they are tried.
  std::vector<std::string> addresses_of(const acl::AgentId& id) const;
  // The agent that was sent the request which a failure of its platform is about; nullptr for other
  // messages.
  const ForeignEntry* asked_by(const acl::Message& failure) const;

 private:
  ForeignEntry* entry(std::string_view id);
  void erase(const std::string& key);

  const std::size_t most_, most_of_platform_;
  std::map<std::string, ForeignEntry> all_;      // by the identifier in small letters
  std::map<Name, std::string> names_;            // the keys
  std::map<std::string, std::string> requests_;  // the keys, by ForeignEntry::requests
  std::list<std::string> uses_;                  // the keys, the latest first
  std::map<std::string, std::size_t> of_platform_;
};

}  // namespace coracle::fipa
