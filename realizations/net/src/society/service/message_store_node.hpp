// The node of a service's own process, which keeps messages that other nodes leave when they stop.
#pragma once

#include "coracle/coracle.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace coracle::society {

// Its limits: messages for one name, and bytes of content in one message.
struct KeptLimits {
  std::uint32_t for_name;
  std::size_t content;
};
// Fails with Errc::bad_options when nothing could be kept; `options` names them in the error text.
void check(const KeptLimits& limits, const std::string& options);

// It is like any other node. It is created and destroyed on another thread, because an agent may
// begin and end a service, but not a node.
class MessageStoreNode {
 public:
  // `realization` has the message store's backend. Its service recognizes it by `identity`.
  MessageStoreNode(Realization realization, const KeptLimits& limits, std::string identity = {});
  ~MessageStoreNode();

 private:
  std::unique_ptr<Node> node_;
};

}  // namespace coracle::society
