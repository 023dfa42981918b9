// The agent of a gateway that decides where each message goes.
#pragma once

#include "coracle/fipa/gateway.hpp"
#include "coracle/fipa/platform.hpp"
#include "transports.hpp"
#include "words.hpp"

#include "coracle/acl/settings.hpp"
#include "coracle/agent.hpp"
#include "coracle/clock.hpp"
#include "coracle/directory_changes.hpp"
#include "coracle/support/calendar.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
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
  // The one that has named a foreign agent's addresses: each is believed rather than those before.
  enum class By : std::uint8_t { letter, agent, program };
  // A foreign agent that has a name in the society.
  struct Foreign {
    acl::AgentId id;                   // with the addresses that are used
    By by;                             // the one that has named them
    std::vector<std::string> claimed;  // those of its latest letter, which may be another's
    acl::Representation form;
    Address address;
    std::string requests;  // the beginning of the identifiers of requests to it
    bool is_wanted;        // the society has introduced it, or has sent to it
    std::list<std::string>::iterator use;
  };
  // A message that is to become a letter.
  struct Outgoing {
    acl::Message message;
    std::vector<acl::AgentId> receivers;
    std::vector<std::string> addresses;
  };
  // Those that go to the same place. Tasks may begin in any order; letters do not.
  struct Outbox {
    std::deque<Outgoing> waiting;
    std::size_t letters = 0;  // also those that are being sent
  };

  // A request of the gateway to a facilitator that has not answered.
  struct Federating {
    Message asked;
    std::string parent;
  };

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
  Task<> deliver(const acl::Message& message, const acl::AgentId& receiver);
  // Sends the oldest letter that waits for those with this first address.
  Task<> post(std::string address);
  Task<std::string> try_addresses(const std::string& receiver, std::vector<std::string> addresses,
                                  std::shared_ptr<const Letter> letter);
  // The foreign agent that was sent the request which a failure of its platform is about; nullptr
  // for other messages.
  const Foreign* failed_request(const acl::Message& message) const;
  // The addresses of a foreign agent, in the order in which they are tried.
  std::vector<std::string> addresses_of(const acl::AgentId& id) const;
  // A letter has reached a foreign agent at that address.
  void on_reached(const std::string& name, const std::string& address);
  // Tells the sender that a message was not delivered, as an AMS does.
  Task<> fail(const acl::Message& message, const acl::AgentId& receiver, std::string reason);
  Task<> send_all(std::vector<acl::Message> messages);
  Task<Address> foreign(acl::AgentId id, acl::Representation form, By by);
  void make_room(const std::string& platform);
  // Sends to an agent of the society without holding up the gate.
  Task<> give(Name to, Content content);
  Task<> give_later(Name to, Content content);
  Task<> end_one(Address agent);
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
  std::map<std::string, Foreign> foreign_;  // by the name in small letters
  std::map<Address, std::string, bool (*)(Address, Address)> names_;
  std::map<std::string, std::string> requests_;  // the foreign agents, by Foreign::requests
  std::list<std::string> uses_;  // the latest first
  std::map<std::string, std::size_t> of_platform_;
  std::size_t letters_ = 0;
  std::map<std::string, Outbox> letters_to_;  // by the first address
  std::size_t given_later_ = 0;
  std::optional<std::size_t> failures_;  // that the letter which is being delivered may still get
  std::map<std::string, Federating> federating_;  // by the identifiers of the requests
  std::optional<DirectoryChanges> changes_;
  std::set<Name> own_;  // the society's agents that are entered
  bool is_new_ = true;  // all of them are to be entered again
};

}  // namespace coracle::fipa
