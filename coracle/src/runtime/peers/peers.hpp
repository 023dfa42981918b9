// The other nodes, as this node knows them: one Peer for each, until its lease has ended.
#pragma once

#include "coracle/support/lease_set.hpp"
#include "peer.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

// Safe to call from every thread. Its mutex guards the table, not the contents of a Peer; while the
// mutex is held, no other component is called, so other components may hold theirs when they call.
class Peers {
 public:
  explicit Peers(NodeCore& node) noexcept;

  // Finds or makes the peer with that lease. It exists until all workers have finished what they
  // are doing now.
  Peer& of(LeaseId lease) {
    Peer* const latest = latest_.load(std::memory_order_acquire);
    return latest != nullptr && latest->lease == lease ? *latest : look_up(lease);
  }
  // The worker that reads the frames of that node.
  Worker& reader_of(LeaseId lease);
  // Returns the node's own lease, as the links know it.
  LeaseId self();
  // The node has another lease: to the others it is a new one, which has sent and received nothing.
  // The leases in `open` are open; one that had been taken for ended is no longer gone.
  void take_lease(const std::vector<LeaseId>& open);

  // Sends a frame in which all names are spelled.
  void send(LeaseId to, std::span<const std::byte> frame);
  // Sends a reply in which all names are spelled. If it finds no room, the peer gets no further
  // replies until there is some.
  void reply(LeaseId to, std::span<const std::byte> frame);
  // Returns the position of the next frame: apart, or (nothing) in its order. Requires other.mutex.
  std::optional<Apart> place_of(Peer& other, const FramePair& pair, bool is_large);
  void on_apart_gone(LeaseId lease, std::uint64_t number);
  // The link has room again: sends what waits for it.
  void on_room(LeaseId lease);

  // Counts a refusal to a peer that requests more than its share. A peer that continues is cut off.
  void on_excess(LeaseId lease);
  // Ends the link. To be called on the worker that reads the peer's frames, as meet_again().
  void refuse(LeaseId lease, const std::string& why);

  // Returns whether there is no contact with the node.
  bool is_gone(LeaseId lease);
  // Returns whether it was not gone before.
  bool note_gone(LeaseId lease);
  // The directory has reported that the lease has ended.
  void note_ended(LeaseId lease);
  // There is contact again, and both nodes are like new to each other. Returns whether the node was
  // gone.
  bool meet_again(Peer& other);

 private:
  friend Forgetting;
  Peer& look_up(LeaseId lease);
  Peer* find(LeaseId lease);
  void forget_sent_names(LeaseId lease);
  void forget_received_names_soon(LeaseId lease);
  void erase_ended(Peer& gone);

  NodeCore& node_;
  std::atomic<std::uint64_t> sent_apart_{0};  // the number of the last frame that was sent apart
  std::atomic<Peer*> latest_{nullptr};        // one of peers_, for access without the mutex
  std::mutex mutex_;                          // guards what follows
  LeaseId self_ = 0;
  std::unordered_map<LeaseId, std::unique_ptr<Peer>> peers_;  // until their leases have ended
  std::vector<std::unique_ptr<Peer>> retired_;  // of an earlier lease; may still be in use
  LeaseSet gone_, ended_;  // without contact now; ended, according to the directory
};

}  // namespace coracle::detail
