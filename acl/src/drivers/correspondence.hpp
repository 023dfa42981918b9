// The messages of conversations between agents of the society: sending them, and receiving those of
// one conversation.
#pragma once

#include "coracle/acl/honest.hpp"
#include "coracle/acl/protocols/initiation.hpp"
#include "coracle/acl/settings.hpp"
#include "coracle/agent.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coracle::acl {

// The conversations that an agent has begun itself. The agent and the tasks that hold these
// conversations share them, because a task may be destroyed after the agent's members.
using OwnConversations = std::shared_ptr<std::set<std::string>>;

// The time that a full mailbox of one receiver may hold a conversation up.
inline constexpr Duration usual_patience = std::chrono::seconds(5);

// Sends each message to all of its receivers, all at the same time. Returns the sessions that have
// a receiver which could not be reached.
Task<std::vector<std::size_t>> send_all(Agent& self, const Settings& settings,
                                        std::vector<Initiation::Outgoing> messages,
                                        Duration patience = usual_patience);

// One conversation that an agent has begun: an agent with a loop of its own (Participant) leaves
// its messages alone while this object exists.
class Correspondence {
 public:
  Correspondence(Agent& self, const Settings& settings, std::string conversation_id);
  Correspondence(const Correspondence&) = delete;
  ~Correspondence();

  // The next message of the conversation; nothing when `until` passes.
  Task<std::optional<Message>> receive(Time until);

 private:
  Agent& self_;
  const Settings& settings_;
  std::string conversation_id_;
  OwnConversations own_;
};

}  // namespace coracle::acl
