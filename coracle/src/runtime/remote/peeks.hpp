// Lists the messages that wait for a name on all other nodes. A peek takes nothing away.
#pragma once

#include "coracle/support/peek.hpp"
#include "requests_to_all.hpp"

namespace coracle::detail {

// Frames are read on the worker that reads the peer's frames. A reader returns false for a frame
// that makes no sense.
class Peeks {
 public:
  Peeks(NodeCore& node, Peers& peers, RequestsToAll& requests) noexcept
      : node_(node), peers_(peers), requests_(requests) {}

  // From any worker.
  Task<Peeked> peek(Worker& at, Name name);
  bool read(Worker& at, Peer& from, FrameReader& in);
  bool read_reply(Peer& from, FrameReader& in);

 private:
  NodeCore& node_;
  Peers& peers_;
  RequestsToAll& requests_;
};

}  // namespace coracle::detail
