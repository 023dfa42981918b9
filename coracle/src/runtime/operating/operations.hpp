// Acts of operators: requests of this node to others, and theirs to this node.
#pragma once

#include "coracle/operating.hpp"
#include "coracle/support/core_frames.hpp"
#include "coracle/support/signal.hpp"
#include "runtime/peers/peers.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace coracle::detail {

// Frames are read on the worker that reads the peer's frames. A reader returns false for a frame
// that makes no sense.
class Operations {
 public:
  Operations(NodeCore& node, Peers& peers) noexcept : node_(node), peers_(peers) {}

  // Has another node perform an act, and waits for its reply.
  Task<Acted> request(LeaseId to, OperatorAct act, Name name);
  bool read(Worker& at, Peer& from, FrameReader& in);
  bool read_reply(Peer& from, FrameReader& in);

 private:
  struct Open {
    LeaseId to = 0;
    Signal done;
    Acted acted = Acted::silent;  // written before the signal is set
  };
  Task<> judge(Worker& at, LeaseId from, std::uint64_t token, OperatorAct act, Name name);
  void reply(LeaseId to, std::uint64_t token, Acted acted);

  NodeCore& node_;
  Peers& peers_;
  std::mutex mutex_;  // guards what follows
  std::uint64_t tokens_ = 0;
  std::map<std::uint64_t, std::shared_ptr<Open>> open_;
};

// Performs an act on whatever node has the agent, on behalf of this one; from any worker.
Task<> operate_at(Worker& at, OperatorAct act, Name name);

}  // namespace coracle::detail
