// Requests about holds: of this node's operators to other nodes, and theirs to this node.
#pragma once

#include "coracle/support/core_frames.hpp"
#include "coracle/support/signal.hpp"
#include "inspection/step_parts.hpp"
#include "runtime/peers/peers.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace coracle::detail {

// Frames are read on the worker that reads the peer's frames. A reader returns false for a frame
// that makes no sense.
class Steps {
 public:
  // A request that has been sent.
  struct Open {
    LeaseId to = 0;
    Signal done;
    StepReply reply;  // written before the signal is set
  };

  Steps(NodeCore& node, Peers& peers) noexcept : node_(node), peers_(peers) {}

  // Sends a request to another node; `Open::done` is set when the reply has come.
  std::shared_ptr<Open> send(LeaseId to, StepRequest request);
  // Nobody waits for the reply any more; returns it.
  StepReply close(const Open& open);
  // Sends a request to which nobody awaits a reply.
  void send_only(LeaseId to, StepRequest request);

  bool read(Worker& at, Peer& from, FrameReader& in);
  bool read_reply(Peer& from, FrameReader& in);

 private:
  Task<> serve(Worker& at, LeaseId from, StepRequest request);
  void reply(LeaseId to, StepReply reply);

  NodeCore& node_;
  Peers& peers_;
  std::mutex mutex_;  // guards what follows
  std::uint64_t tokens_ = 0;
  std::map<std::uint64_t, std::shared_ptr<Open>> open_;
};

}  // namespace coracle::detail
