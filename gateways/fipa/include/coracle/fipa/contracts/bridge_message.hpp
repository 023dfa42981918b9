// The messages that a bridge between contract nets sends.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/message.hpp"
#include "coracle/name.hpp"

#include <variant>
#include <vector>

namespace coracle::fipa {

// A message of caf to a client or a bidder of the society.
struct CafMessage {
  Name to;
  Content content;
};

// A message of caf, or one of FIPA to its receivers.
using BridgeMessage = std::variant<CafMessage, acl::Message>;
using BridgeMessages = std::vector<BridgeMessage>;

}  // namespace coracle::fipa
