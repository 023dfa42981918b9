// The names in which a peer may send: those that its lease holds, or held lately, according to the
// directory. A redirected message keeps its source; it is accepted if the redirecting mailbox is
// the peer's, and redirects to the message's target. A message from the message store is accepted
// as it was when the store got it. News of a name may come after a message from its holder. Then
// the message waits until the directory has sent what it knows, and messages behind it with the
// same source wait, too.
#pragma once

#include "peers.hpp"

namespace coracle::detail {

// The messages that wait are in their Peer. To be called on the worker that reads the peer's
// frames.
class Sources {
 public:
  Sources(NodeCore& node, Peers& peers) noexcept : node_(node), peers_(peers) {}

  // Sets the message's source if the peer may send in that name.
  bool speaks_as(Worker& at, Peer& from, const Source& source, MessageRecord& record);
  // After speaks_as() has returned false: the message waits for news of its source. If that proves
  // nothing, the message is emptied, and forbidden.
  void when_proven(Worker& at, Peer& from, Source source, MessageRecord* record, Proven then);
  // Returns the record of a name in which the peer sends; nullptr when the peer has its share of
  // records, or when this node has no room for more. Then only the peer's message is refused.
  Mailbox* record_of(Worker& at, Peer& from, const Name& name);

 private:
  void judge(Worker& at, Peer& from, const Name& name);

  NodeCore& node_;
  Peers& peers_;
};

}  // namespace coracle::detail
