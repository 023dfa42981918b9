// Writes messages into frames for other nodes; message_reader.hpp reads them.
#pragma once

#include "runtime/elsewhere/side.hpp"
#include "runtime/peers/peers.hpp"

namespace coracle::detail {

// Safe to call from every thread: the state of what was written is in a Peer, under its mutex.
class MessageWriter {
 public:
  MessageWriter(NodeCore& node, Peers& peers) noexcept : node_(node), peers_(peers) {}

  // Sends a message under a serial, or a slot request with its number; `kind` is the kind of the
  // frame. Returns false when there is no room for another; the target's mailbox continues when
  // there is room again. Throws when the content cannot be encoded.
  bool send(std::uint8_t kind, Peer& other, const Holder& to, const MessageRecord& record,
            std::uint64_t serial);
  // Sends a message that the message store shall take over.
  bool send_handed(LeaseId to, const MessageRecord& record, std::uint64_t serial);
  // Writes a message as for another node, but with every name spelled, so that the message can be
  // stored. `left` is the time that it may wait while nobody holds its target's name.
  void write_kept(FrameWriter& out, const MessageRecord& record, Duration left);

 private:
  bool write_short(Peer& other, const Holder& to, const MessageRecord& record,
                   std::uint64_t serial);
  void write_message(std::uint8_t kind, Peer& other, const Holder& to, const MessageRecord& record,
                     std::uint64_t serial, bool stands_by_itself);

  NodeCore& node_;
  Peers& peers_;
};

}  // namespace coracle::detail
