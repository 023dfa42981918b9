// The requests of this node to all other nodes, and the nodes that have not replied yet.
#pragma once

#include "coracle/inspection.hpp"
#include "coracle/support/signal.hpp"
#include "runtime/peers/peers.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace coracle::detail {

// Safe to call from every thread. A reader returns false for a frame that makes no sense.
class RequestsToAll {
 public:
  // Sends the request with that token to a node.
  using Ask = std::function<void(LeaseId, std::uint64_t)>;

  RequestsToAll(NodeCore& node, Peers& peers) noexcept : node_(node), peers_(peers) {}

  // Waits until all other nodes have replied to what `ask` sends them, or are gone. A node that
  // replies to nothing for some time is *mute*: it still gets requests, but nobody waits for it
  // until it replies to one. Each reply that comes after the wait calls `late`. The replies to an
  // inspection are collected in `found`.
  Task<> send(Worker& at, Ask ask, std::function<void()> late = nullptr,
              std::shared_ptr<Inspection> found = nullptr);
  // Replies to another node, or greets it.
  void reply(LeaseId to, std::uint8_t kind, std::uint64_t token);

  // A node has replied.
  void on_reply(LeaseId by, std::uint64_t token);
  // A node has replied to an inspection.
  void on_reply(LeaseId by, std::uint64_t token, Inspection there);
  bool read_refused(Peer& from, FrameReader& in);
  bool read_denied(Peer& from, FrameReader& in);
  // The node with that lease is gone.
  void forget(LeaseId lease);

 private:
  struct Asked {
    std::set<LeaseId> unanswered;
    Signal done;
    std::shared_ptr<Inspection> found;
    std::function<void()> late;
    Time begun;
    bool is_over = false;  // nobody waits for the replies any more
  };
  // The replies of one node.
  struct Replies {
    Time latest{};     // when the last came
    Duration usual{};  // how long they take
  };
  bool are_mute(const std::set<LeaseId>& leases) const;
  Time awaited_until(const Asked& asked) const;
  Time awaited_until(std::uint64_t token);
  void end(std::uint64_t token);
  void note_reply(LeaseId lease, Time now, Duration took);

  NodeCore& node_;
  Peers& peers_;
  std::mutex mutex_;  // guards what follows
  std::uint64_t tokens_ = 0;
  std::map<std::uint64_t, Asked> asked_;
  // The mute nodes, each until it replies to a request with that token or a later one.
  std::map<LeaseId, std::uint64_t> mute_;
  std::map<LeaseId, Replies> replies_;
};

}  // namespace coracle::detail
