// The transport for frames of the core between a node and others: the part that all realizations
// share. Frames that other workers send are passed to the thread of the links.
// `net` in a comment means: on that thread.
#pragma once

#include "coracle/transport.hpp"
#include "frame_channel.hpp"
#include "realizations/net/src/society/directory/node_events.hpp"
#include "realizations/net/src/society/policy/leases_of.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

namespace coracle::society {

class NodeConnectivity;

class FrameTransport : public LocalTransport, public NodeEvents {
 public:
  ~FrameTransport() override = default;

  // net: a node that has proved its name is to have a link; returns nullptr when it is refused.
  virtual net::SessionEvents* let_in(const net::Greeting&) { return nullptr; }
  virtual void on_link(net::Link&) {}
  // net: sends a farewell to all.
  virtual void leave() {}
  virtual bool is_silent() const { return true; }

  // --- Transport ---
  bool connects_nodes() const noexcept override { return true; }
  void attach(FrameReceiver& user, LeaseId self) override;
  void detach() noexcept override;
  bool send(LeaseId self, LeaseId to, std::span<const std::byte> frame, const Content& content,
            const Apart* apart) override;
  bool sends_apart() const noexcept override { return true; }
  void meet(LeaseId self, LeaseId peer) override;

 protected:
  explicit FrameTransport(NodeConnectivity& connectivity) : connectivity_(connectivity) {}

  // net: sends the frame, apart or (nullptr) in order; returns false when there is no room for
  // more.
  virtual bool send_now(const Leases& leases, ByteSpan frame, const Content& content,
                        const Apart* apart) = 0;
  // net: reports once that no frame that was sent apart waits any more.
  void report_apart_gone(LeaseId to, FrameChannel& channel) {
    if (!channel.is_apart_reported()) [[unlikely]]
      look_for_apart_gone(to, channel);
  }
  // net: later frames come from a node that has forgotten its numbered names for that peer.
  virtual void on_met(const Leases&) {}
  // net: the node has another lease.
  virtual void on_bound() = 0;
  // Returns the largest frame that the node accepts; the rest behind the head of a larger one is
  // discarded.
  std::uint64_t largest_taken() const noexcept {
    return (user_ != nullptr ? user_->content_limit() : max_content_bytes) + largest_piece;
  }
  // Returns whether no frame of other workers waits.
  bool is_handed_over();
  // net: returns whether the other side has acknowledged everything that was sent on that link;
  // else requests that.
  static bool is_acknowledged(net::Link& link);

  NodeConnectivity& connectivity_;
  FrameReceiver* user_ = nullptr;
  LeaseId self_ = 0;
  std::unordered_set<LeaseId> earlier_;  // leases of this node

 private:
  // A frame from another worker; without a frame, it means that it meets that peer.
  struct Outgoing {
    Leases leases;
    Bytes frame;
    Content content;
    std::optional<Apart> apart = {};
  };

  static constexpr std::size_t most_outgoing = 4096;

  void look_for_apart_gone(LeaseId to, FrameChannel& channel);
  std::size_t add(Outgoing outgoing);
  void send_outgoing();

  std::mutex mutex_;  // guards what follows
  std::vector<Outgoing> outgoing_;
  std::atomic<bool> has_outgoing_{false};
  std::vector<LeaseId> wanting_;  // senders on other workers wait for room there
};

}  // namespace coracle::society
