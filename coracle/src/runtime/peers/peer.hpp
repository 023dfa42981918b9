// The state of the exchange between this node and another one, its peer.
#pragma once

#include "coracle/transport.hpp"
#include "runtime/worker/brief_mutex.hpp"
#include "runtime/worker/timers.hpp"
#include "sent_names.hpp"
#include "unproven.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace coracle::detail {

class NodeCore;
class Peers;
struct Peer;

// Rings when nothing more comes from a node that is gone.
struct Forgetting final : TimerNode {
  Forgetting(Peers& of, Peer& gone) noexcept : TimerNode(&on_time), peers(of), peer(gone) {}
  static void on_time(TimerNode& timer) noexcept;
  Peers& peers;
  Peer& peer;
};

// The part for sending is guarded by the mutex; the part for receiving is used by the worker that
// reads the peer's frames.
struct Peer {
  Peer(NodeCore& node, LeaseId own, LeaseId other) noexcept;

  // Sends a frame to the peer. Returns false when the link has no room for more. Requires the
  // mutex.
  bool send(std::span<const std::byte> bytes, const Content& content = {},
            const std::optional<Apart>& place = {}) {
    return transport.send(self, lease, bytes, content, place ? &*place : nullptr);
  }
  // Returns whether a message need not be sent apart. Requires the mutex.
  bool is_in_order(bool is_large) const noexcept { return !is_large && apart.empty(); }
  // Returns whether a reply found no room. Locks the mutex.
  bool has_no_room() noexcept {
    const std::lock_guard lock(mutex);
    return is_full;
  }
  // Makes all names that were sent to the peer void. Requires the mutex.
  void forget_sent_names() noexcept;
  void forget_received_names() noexcept;
  bool is_listened_to() const noexcept { return !is_over && !is_forgotten; }

  Transport& transport;
  const LeaseId self;   // this node's lease in the exchange
  const LeaseId lease;  // the peer's lease

  // --- sending ---
  BriefMutex mutex;
  SentNames sent;
  FrameBuffer frame;  // scratch
  std::vector<Mailbox*> blocked;
  bool is_full = false;  // a reply found no room: the peer gets no more until there is some
  // Pairs of which something large may still be on its way out: their frames go behind it.
  std::vector<FramePair> apart;
  std::uint64_t last_apart = 0;  // the number of the last frame that was sent apart

  // --- receiving ---
  ReceivedNames received;
  UnprovenMessages unproven;
  std::unique_ptr<Forgetting> forgetting;  // frees these when the peer is gone
  std::atomic<unsigned> excesses{0};       // counted by every worker
  unsigned greetings = 0, looks = 0;       // its greetings, and its peeks since looks_since
  Time looks_since{};
  unsigned steps = 0;  // its requests about holds since steps_since
  Time steps_since{};
  std::size_t names_made = 0;  // records of names that exist because the peer has sent in them
  bool is_cut = false;         // the present frame came without its content, which is too large
  bool is_over = false;        // the peer has sent a frame that makes no sense
  bool is_forgotten = false;   // the peer is gone, and the names it sent are not kept any more
};

}  // namespace coracle::detail
