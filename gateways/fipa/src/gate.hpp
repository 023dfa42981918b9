// The agent of a gateway that decides where each message goes.
#pragma once

#include "coracle/fipa/gateway.hpp"
#include "coracle/fipa/platform.hpp"
#include "transports.hpp"
#include "words.hpp"

#include "coracle/agent.hpp"
#include "coracle/directory_changes.hpp"

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coracle::fipa {

class Gate final : public Agent {
 public:
  // `transport` is the name of the agent whose messages have come from other platforms.
  Gate(GatewayOptions options, std::shared_ptr<const Transports> transports, Name transport);

  Task<> run() override;

 private:
  // A foreign agent that has a name in the society.
  struct Foreign {
    acl::AgentId id;
    acl::Representation form;
    Address address;
    std::list<std::string>::iterator use;
  };

  // A request of the gateway to a facilitator that has not answered.
  struct Federating {
    Message asked;
    std::string parent;
  };

  Task<> handle(Message& message);
  Task<> take(const Arrived& arrived);
  Task<> take_own(std::string from, acl::Message message);
  Task<> introduce(const Message& message, acl::AgentId agent);
  Task<> federate(Message& message);
  // Tells the gateway what the facilitator that it wants to join or to leave has answered.
  Task<> on_federated(const acl::Message& answer);
  // Sends a message to these agents, of this platform and others.
  Task<> route(acl::Message message, std::vector<acl::AgentId> receivers);
  Task<> deliver(const acl::Message& message, const acl::AgentId& receiver);
  Task<> post(acl::Message message, std::vector<acl::AgentId> receivers);
  Task<std::string> try_addresses(const std::vector<std::string>& addresses,
                                  std::shared_ptr<const Letter> letter);
  // Tells the sender that a message was not delivered, as an AMS does.
  Task<> fail(const acl::Message& message, const acl::AgentId& receiver, std::string reason);
  Task<> send_all(std::vector<acl::Message> messages);
  Task<Address> foreign(const acl::AgentId& id, acl::Representation form);
  Task<> make_room(const std::string& platform);
  // Enters the society's agents that have changed into the directories, removes those that are
  // gone, and tells the subscribers.
  Task<> enter_changes();
  Task<> enter(const Name& agent, Messages& out);
  // Does that whenever something changes.
  Task<> follow();
  Task<std::optional<Entry>> entry_of(Name agent);
  Task<> publish_changes();
  Task<> end_all();
  void refresh_addresses();
  acl::AgentId own_id(const char* local) const;

  const GatewayOptions options_;
  const std::shared_ptr<const Transports> transports_;
  const Name transport_;
  Platform platform_;
  std::uint64_t addresses_seen_ = 0;  // the version of the transports' addresses
  acl::AgentId df_, ams_;             // with the present addresses
  Facilitator facilitator_;
  ManagementSystem management_;
  std::map<std::string, Foreign> foreign_;  // by the name in small letters
  std::map<Address, std::string, bool (*)(Address, Address)> names_;
  std::list<std::string> uses_;  // the latest first
  std::map<std::string, std::size_t> of_platform_;
  std::size_t letters_ = 0;
  std::uint64_t last_id_ = 0;
  std::map<std::string, Federating> federating_;  // by the identifiers of the requests
  std::optional<DirectoryChanges> changes_;
  std::set<Name> own_;  // the society's agents that are entered
  bool is_new_ = true;  // all of them are to be entered again
};

}  // namespace coracle::fipa
