// The reports that nodes send each other: of the outcomes of messages, of agents that have ended,
// of changed mailboxes, and of agents that wait.
#pragma once

#include "coracle/outcome.hpp"
#include "delivery_reports.hpp"
#include "runtime/peers/peers.hpp"

#include <vector>

namespace coracle::detail {

class StoreClient;
struct Probe;

// Sending is safe from every thread; frames are read on the worker that reads the peer's frames. A
// reader returns false for a frame that makes no sense. A report of a name that has no record here
// is ignored.
class Reports {
 public:
  Reports(NodeCore& node, Peers& peers, StoreClient& store) noexcept
      : node_(node), peers_(peers), store_(store) {}

  // Sends the delivery reports of foreign messages; also sorts `reports`.
  void send(std::vector<DeliveryReport>& reports);
  // Announces that an agent has ended, or lost its name, to a node that sent to it; goes behind all
  // that the agent sent.
  void send_closed(LeaseId to, const Mailbox& mailbox, const Ending& ending);
  // Announces that the holder of a name here has another mailbox.
  void send_mailbox(LeaseId to, const Mailbox& mailbox);
  // Sends a probe to the node of its next agent.
  void send_probe(LeaseId to, const Probe& probe);

  bool read(Peer& from, FrameReader& in);
  bool read_closed(Peer& from, FrameReader& in);
  bool read_mailbox(Peer& from, FrameReader& in);
  bool read_probe(Worker& at, Peer& from, FrameReader& in);

 private:
  NodeCore& node_;
  Peers& peers_;
  StoreClient& store_;
};

}  // namespace coracle::detail
