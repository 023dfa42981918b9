// The taps of other nodes' agents, which are registered here. A new node requests the taps of all
// others before any of its agents may send.
#pragma once

#include "coracle/overhearing.hpp"
#include "coracle/pattern.hpp"
#include "runtime/remote/requests_to_all.hpp"

#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

class StoreClient;
class StoreServer;

// Safe to call from every thread, except for frames: these are read on the worker that reads the
// peer's frames. A reader returns false for a frame that makes no sense.
class TapsOfPeers {
 public:
  TapsOfPeers(NodeCore& node, Peers& peers, RequestsToAll& requests, StoreClient& store,
              StoreServer& store_server) noexcept
      : node_(node),
        peers_(peers),
        requests_(requests),
        store_(store),
        store_server_(store_server) {}

  // Requests the taps of all nodes.
  Task<> request(Worker& at);
  // The node with that lease is gone.
  void forget(LeaseId lease);

  bool read(Worker& at, Peer& from, FrameReader& in);
  bool read_drop(Peer& from, FrameReader& in);
  // Reads the reply to a request. The reply counts after the taps that the peer sent before it.
  bool read_reply(Peer& from, FrameReader& in);

 private:
  // A tap that a peer requests.
  struct TapAsked {
    std::uint64_t token = 0, id = 0;
    Name eavesdropper;
    Incarnation life;
    Pattern pattern;
    TapOptions options;
    bool is_known = false;  // there is room for it, and no other tap has its number
  };
  // The taps of a peer.
  struct TapsOf {
    bool has_room() const noexcept;

    std::unordered_map<std::uint64_t, std::uint64_t> taps;  // their numbers here; 0: none yet
    std::size_t bytes = 0;
    bool is_whole = false;               // its reply to the greeting came, and so all its taps
    unsigned settling = 0;               // taps whose eavesdropper is being looked up
    std::vector<std::uint64_t> replies;  // the peer's replies, which come behind these taps
  };
  void settle(Worker& at, LeaseId from, const TapAsked& asked, const std::optional<Entry>& holder);
  void on_reply(LeaseId from, std::uint64_t token);
  void remove(std::uint64_t id);

  NodeCore& node_;
  Peers& peers_;
  RequestsToAll& requests_;
  StoreClient& store_;
  StoreServer& store_server_;
  std::mutex mutex_;  // guards what follows
  std::unordered_map<LeaseId, TapsOf> of_peers_;
  std::uint64_t greeting_ = 0;  // the token of this node's greetings
  bool has_begun_ = false;      // its agents may have sent messages
};

}  // namespace coracle::detail
