// Looks at the messages that wait for a name on the other nodes of a society, without taking any.
#pragma once

#include "coracle/node.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::detail {

// A message that waits on another node, as that node reported it; of a long one, the beginning.
struct WaitingMessage {
  std::uint16_t flags = 0;
  Conversation conversation = 0;
  std::uint64_t size = 0;
  std::string source, text;
};
// The messages that wait for a name on all other nodes; of many, only the first are reported.
struct Peeked {
  bool is_allowed = true;  // by the society's policy
  std::uint64_t count = 0;
  std::vector<WaitingMessage> messages;
};

// Requests them on behalf of `node`. Blocks; call it from a thread that is no worker. Fails with
// Errc::unsupported when the society has one node only.
Peeked peek(Node& node, const Name& name);

}  // namespace coracle::detail
