// The surroundings of an agent of the player, for its role and its conversations: they add messages
// to be sent, and report others.
#pragma once

#include "output.hpp"

#include "coracle/acl/message.hpp"
#include "coracle/acl/protocols/calendar.hpp"
#include "coracle/acl/protocols/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::player {

// The agent, and its platform.
struct Place {
  std::string agent;  // the name in commands
  acl::AgentId self, df, ams;
};

class Work {
 public:
  Work(Place where, acl::Calendar dates) : place(std::move(where)), calendar(dates) {}

  // Adds a message that the agent sends before it does anything else.
  void send(std::optional<acl::Message> message) {
    if (message) outgoing_.push_back(*std::move(message));
  }
  std::vector<acl::Message> take_outgoing() { return std::exchange(outgoing_, {}); }
  void report(const acl::Message& message) const {
    print({{"event", "message"}, {"agent", place.agent}, {"message", to_json(message)}});
  }

  const Place place;
  const acl::Calendar calendar;
  Time now{};

 private:
  std::vector<acl::Message> outgoing_;
};

// Texts that no other message has.
acl::MessageIds message_ids();

}  // namespace coracle::player
