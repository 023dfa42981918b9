// The taps of this node's agents, which are registered at all other nodes. Every node knows a tap
// before overhear() returns.
#pragma once

#include "coracle/overhearing.hpp"
#include "coracle/pattern.hpp"
#include "runtime/remote/requests_to_all.hpp"

#include <mutex>
#include <vector>

namespace coracle::detail {

class StoreClient;

// Safe to call from every thread, except for frames: these are read on the worker that reads the
// peer's frames.
class OwnTaps {
 public:
  static constexpr std::size_t most = 16384;

  OwnTaps(NodeCore& node, Peers& peers, RequestsToAll& requests, StoreClient& store) noexcept
      : node_(node), peers_(peers), requests_(requests), store_(store) {}

  // Registers a tap at all nodes. Fails when the society's policy does not allow it.
  Task<Result<void>> add(Worker& at, std::uint64_t id, const Mailbox& eavesdropper,
                         const Pattern& pattern, TapOptions options);
  Task<> drop(std::uint64_t id);
  // Registers all taps again, after the node has opened another lease.
  Task<> add_again(Worker& at);
  // Sends all taps to one node.
  void send_all(LeaseId to);
  // Copies were on their way from a node that is gone, or the node was about to send some.
  void miss_copies();

  // A new node requests the taps. Returns false for a frame that makes no sense.
  bool read_greeting(Peer& from, FrameReader& in);

 private:
  struct OwnTap {
    std::uint64_t id;
    Name eavesdropper;
    Incarnation life;  // of the eavesdropper
    MailboxOptions mailbox;
    Pattern pattern;
    TapOptions options;
  };
  std::vector<OwnTap> all();
  Task<> send_to_all(Worker& at, OwnTap tap);
  void send(LeaseId to, const OwnTap& tap, std::uint64_t token);
  void send_drop(LeaseId to, std::uint64_t id);
  void miss_copies(const OwnTap& tap);

  NodeCore& node_;
  Peers& peers_;
  RequestsToAll& requests_;
  StoreClient& store_;
  std::mutex mutex_;  // guards what follows
  std::vector<OwnTap> taps_;
};

}  // namespace coracle::detail
