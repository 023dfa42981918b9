// Reads messages out of the frames of other nodes. Nothing in a frame is trusted before it is
// checked.
#pragma once

#include "runtime/peers/sources.hpp"

namespace coracle::detail {

// To be called on the worker that reads the peer's frames. A function that returns false, or no
// record, has found a frame that makes no sense.
class MessageReader {
 public:
  MessageReader(NodeCore& node, Peers& peers, Sources& sources) noexcept
      : node_(node), peers_(peers), sources_(sources) {}

  // Reads a frame of the most common form. Returns false, and does nothing, for any other frame;
  // read() then decides whether that frame makes sense.
  bool read_short(Worker& at, Peer& from, std::span<const std::byte> frame, Content& content);
  bool read(Worker& at, Peer& from, FrameReader& in, Content content);
  // Reads the part of a message behind its target. Notes the source of the message in `source`; the
  // source is still to be proved.
  MessageRecord* read_record(Worker& at, Peer& from, FrameReader& in, Content content,
                             Source& source);

 private:
  void arrive(Worker& at, MessageRecord* record);
  void take(Worker& at, LeaseId from, MessageRecord* record, const Name& target,
            std::uint64_t serial, Incarnation life);
  void send_back(LeaseId to, const Name& target, std::uint64_t serial, Incarnation life);

  NodeCore& node_;
  Peers& peers_;
  Sources& sources_;
};

}  // namespace coracle::detail
