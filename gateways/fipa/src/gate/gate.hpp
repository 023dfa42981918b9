// The agent of a gateway that decides where each message goes.
#pragma once

#include "coracle/fipa/gateway.hpp"
#include "coracle/fipa/platform.hpp"
#include "gate/federations.hpp"
#include "gate/foreign_names.hpp"
#include "gate/outboxes.hpp"
#include "gate/transports.hpp"
#include "gate/words.hpp"

#include "coracle/acl/settings.hpp"
#include "coracle/agent.hpp"
#include "coracle/clock.hpp"
#include "coracle/directory_changes.hpp"
#include "coracle/support/calendar.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coracle::fipa {

// The time and the randomness of a gate.
struct Surroundings {
  std::function<acl::CalendarTime()> calendar = coracle::detail::calendar_now;
  Random* random = &machine_random();
};

class Gate final : public Agent {
 public:
  // `transport` is the name of the agent whose messages have come from other platforms.
  Gate(GatewayOptions options, std::shared_ptr<const Transports> transports, Name transport,
       Surroundings surroundings = {});

  Task<> run() override;

 private:
  Task<> handle(Message& message);
  Task<> take(const Arrived& arrived);
  Task<> take_own(std::string from, acl::Message message, std::vector<acl::AgentId> receivers);
  // Takes a message that an agent of the society has sent to the name of a foreign one.
  Task<> take_passed(const std::string& to, const Passed& passed);
  Task<> introduce(const Message& message, acl::AgentId agent);
  Task<> federate(Message& message);
  // Tells the gateway what the facilitator that it wants to join or to leave has answered.
  Task<> on_federated(const acl::Message& answer);
  // Sends a message to these agents, of this platform and others.
  Task<> route(acl::Message message, std::vector<acl::AgentId> receivers);
  // `host` is the one from which it has come; empty: this society's.
  Task<> deliver(const acl::Message& message, const acl::AgentId& receiver, std::string host = {});
  // Sends the oldest letter that waits for those with this first address.
  Task<> post(std::string address);
  Task<std::string> try_addresses(const std::string& receiver, std::vector<std::string> addresses,
                                  std::shared_ptr<const Letter> letter);
  // Tells the sender that a message was not delivered, as an AMS does.
  Task<> fail(const acl::Message& message, const acl::AgentId& receiver, std::string reason);
  Task<> send_all(std::vector<acl::Message> messages);
  // Returns the name in the society of the agent that stands for a foreign one, which is made if
  // there is none.
  Task<Name> foreign(acl::AgentId id, acl::Representation form, NamedBy by);
  // Sends to an agent of the society without holding up the gate.
  Task<> give(Name to, Content content);
  Task<> give_later(Name to, Content content);
  Task<> end_one(Name agent);
  acl::CalendarTime calendar() const { return surroundings_.calendar(); }
  // Enters the society's agents that have changed into the directories, removes those that are
  // gone, and tells the subscribers.
  Task<> enter_changes();
  Task<> enter(const Name& agent, Messages& out);
  // Does that whenever something changes.
  Task<> follow();
  // The entry of an agent, as far as this node knows it.
  Task<std::optional<Entry>> entry_of(Name agent);
  Task<> publish_changes();
  Task<> end_all();
  void refresh_addresses();
  acl::AgentId own_id(const char* local) const;

  const GatewayOptions options_;
  const std::shared_ptr<const Transports> transports_;
  const Name transport_;
  const Surroundings surroundings_;
  const acl::MessageIds new_id_;
  Platform platform_;
  std::uint64_t addresses_seen_ = 0;  // the version of the transports' addresses
  acl::AgentId df_, ams_;             // with the present addresses
  Facilitator facilitator_;
  ManagementSystem management_;
  ForeignNames foreign_;
  Outboxes outboxes_;
  std::size_t given_later_ = 0;
  std::optional<std::size_t> failures_;  // that the letter which is being delivered may still get
  Federations federations_;
  std::optional<DirectoryChanges> changes_;
  std::set<Name> own_;  // the society's agents that are entered
  bool is_new_ = true;  // all of them are to be entered again
};

}  // namespace coracle::fipa
