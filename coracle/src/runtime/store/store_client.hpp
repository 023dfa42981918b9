// The society's message store, as the other nodes see it. Nodes learn which node it is when they
// greet each other.
#pragma once

#include "coracle/outcome.hpp"
#include "coracle/support/signal.hpp"
#include "runtime/remote/message_writer.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

namespace coracle::detail {

// Safe to call from every thread. A reader returns false for a frame that makes no sense.
class StoreClient {
 public:
  StoreClient(NodeCore& node, Peers& peers, MessageWriter& writer) noexcept
      : node_(node), peers_(peers), writer_(writer) {}

  // Returns the stage that the store promises for what is handed over; nothing without a store.
  std::optional<Stage> promise();
  // Returns the lease of the message store; 0 when there is none.
  LeaseId lease();
  // Returns the last reason of the store for taking nothing; keeps_nothing: it gave none.
  std::uint8_t refusal() const noexcept { return refusal_.load(); }
  // Hands the messages over to the store, and notes its promise for each.
  Task<> hand_over(std::vector<HandedOver>& messages, Deadline patience);

  // A node has announced its state as a message store.
  void note(LeaseId lease, std::uint8_t keeps);
  bool read_state(Peer& from, FrameReader& in);
  bool read_taken_over(Peer& from, FrameReader& in);
  // The node with that lease is gone. It may have the messages that it has not confirmed.
  void forget(LeaseId lease);

 private:
  // The messages that are being handed over.
  struct Handing {
    LeaseId to;
    std::vector<HandedOver>& messages;
    std::size_t unanswered;
    Signal done;
  };

  NodeCore& node_;
  Peers& peers_;
  MessageWriter& writer_;
  std::atomic<std::uint8_t> refusal_{0};
  std::mutex mutex_;  // guards what follows
  LeaseId lease_ = 0;
  std::uint8_t keeps_ = 0;
  std::optional<Handing> handing_;
};

}  // namespace coracle::detail
