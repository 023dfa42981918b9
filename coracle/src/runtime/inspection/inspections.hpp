// Inspects names on this node and on all others, and replies to the inspections of others.
#pragma once

#include "coracle/inspection.hpp"
#include "runtime/remote/requests_to_all.hpp"

namespace coracle::detail {

// Frames are read on the worker that reads the peer's frames. A reader returns false for a frame
// that makes no sense.
class Inspections {
 public:
  Inspections(NodeCore& node, Peers& peers, RequestsToAll& requests) noexcept
      : node_(node), peers_(peers), requests_(requests) {}

  // Adds to `found` what the other nodes know of its name.
  Task<> ask_others(Worker& at, std::shared_ptr<Inspection> found);
  bool read(Worker& at, Peer& from, FrameReader& in);
  bool read_reply(Peer& from, FrameReader& in);

 private:
  NodeCore& node_;
  Peers& peers_;
  RequestsToAll& requests_;
};

// Returns whether a node may have another look now, and counts it. A reply may be large, and takes
// a pass through all that waits in a mailbox.
bool may_look_now(Peer& from, Time now);
// Inspects a name on all nodes, on behalf of this one; from any worker.
Task<Inspection> inspect_at(Worker& at, Name name);

}  // namespace coracle::detail
