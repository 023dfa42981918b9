// The sending of the messages of a bridge between contract nets.
#pragma once

#include "coracle/acl/settings.hpp"
#include "coracle/agent.hpp"
#include "coracle/fipa/contracts/bridge_message.hpp"

#include <string>
#include <vector>

namespace coracle::fipa {

// A message that did not reach a receiver, and the reason.
struct Unsent {
  BridgeMessage message;
  std::string why;
};

// Sends all messages, each to all of its receivers. A full mailbox holds the others up for a moment
// only. Fails with Errc::stopped or Errc::fenced.
Task<std::vector<Unsent>> send_all(Agent& self, const acl::Settings& settings,
                                   BridgeMessages messages);

}  // namespace coracle::fipa
