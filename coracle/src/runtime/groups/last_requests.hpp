// The requests for a group's last messages that go to other nodes and come from them. A request
// goes to all nodes before the agent joins, and another one when it has joined. Each node gives
// what its own agents keep, as they would send it.
#pragma once

#include "coracle/support/core_frames.hpp"
#include "runtime/peers/sources.hpp"
#include "runtime/remote/requests_to_all.hpp"

namespace coracle::detail {

class StoreServer;

// The node's LateJoiners has the agents that are expected. Sending is safe from every worker;
// frames are read on the worker that reads the peer's frames.
class LastRequests {
 public:
  LastRequests(NodeCore& node, Peers& peers, Sources& sources, RequestsToAll& requests,
               StoreServer& store_server) noexcept
      : node_(node),
        peers_(peers),
        sources_(sources),
        requests_(requests),
        store_server_(store_server) {}

  // An agent here joins a group, or has joined: requests up to `count` of the last messages of each
  // sender on all other nodes; returns when they have been sent.
  Task<> send(Worker& at, LastAsked when, Name group, Name member, std::size_t count);
  // The agent has ended meanwhile: cancels its request.
  Task<> cancel(Name group, Name member);
  // Returns false for a frame that makes no sense.
  bool read(Peer& from, FrameReader& in);

 private:
  struct LateJoiner {
    std::uint64_t token = 0;
    Name group, member;
    LeaseId own_lease = 0;  // this node's lease when the request came
  };
  void send_one(LeaseId to, std::uint64_t token, LastAsked when, const Name& group,
                const Name& member, std::size_t count);
  Task<> expect(LeaseId from, LateJoiner joiner);
  Task<> give(LeaseId from, LateJoiner joiner);

  NodeCore& node_;
  Peers& peers_;
  Sources& sources_;
  RequestsToAll& requests_;
  StoreServer& store_server_;
};

}  // namespace coracle::detail
