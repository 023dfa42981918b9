// This node as the society's message store: it keeps messages that other nodes hand over or send to
// it. A message that it has promised to keep waits in the mailbox of its name, like the node's own
// messages, and goes to the next holder; the backend is notified of the message's end.
#pragma once

#include "runtime/remote/message_reader.hpp"
#include "runtime/remote/message_writer.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

namespace coracle::detail {

// Used by the node's worker: a node with a backend has one. A reader returns false for a frame that
// makes no sense.
class StoreServer {
 public:
  StoreServer(NodeCore& node, Peers& peers, Sources& sources, MessageWriter& writer,
              MessageReader& reader) noexcept;
  ~StoreServer();

  // Loads the stored messages. Requires a backend.
  void begin(Worker& at);
  // Notes the holder of a name on another node; from every thread. Before a holder gets any
  // message, the backend records that the holder may have it; after a restart, this is known.
  void on_holder(Mailbox& mailbox, Holder holder);
  // A kept message has ended.
  void finished(const MessageRecord& record) noexcept;
  // The node with that lease is gone; from every thread.
  void forget(LeaseId lease);

  bool read_hand_over(Worker& at, Peer& from, FrameReader& in, Content content);
  bool read_message(Worker& at, Peer& from, FrameReader& in, Content content);

 private:
  struct Work;
  struct Kept {
    Name target;
    Time absent_until = Time::max();
    bool is_forbidden = false;  // by the policy, on the way
  };
  // The round in which a node was refused because there is no room for a name.
  struct TurnedDown {
    Incarnation round;
    std::uint8_t why = 0;
  };
  void work_on_backend(Worker& at);
  MessageRecord* read_kept(Worker& at, const Peer* from, std::span<const std::byte> head,
                           Content content, Duration age, Kept& kept);
  void take(Worker& at, MessageRecord* record, Mailbox& target, Duration left,
            const Content& bytes);
  void keep_stored(Worker& at, MessageRecord* record, std::span<const std::byte> head,
                   const Content& bytes, Time absent_until);
  void refuse(Worker& at, MessageRecord* record);
  void turn_down(Worker& at, MessageRecord* record, bool may_be_stored, std::uint8_t why);
  bool has_bytes_for(const MessageRecord& record) const;
  bool has_room_for(const Mailbox& target, std::uint32_t settling) const;
  bool may_be_held(const Mailbox& target);
  void settled(const MessageRecord& record);
  void keep(Worker& at, MessageRecord* record, std::uint64_t id, Time absent_until);
  void send_taken_over(LeaseId to, std::uint64_t serial, std::uint8_t keeps);

  NodeCore& node_;
  Peers& peers_;
  Sources& sources_;
  MessageWriter& writer_;
  MessageReader& reader_;
  std::unique_ptr<Work> work_;
  std::unordered_map<const Mailbox*, std::uint32_t> settling_;  // messages not promised yet
  std::map<std::pair<LeaseId, const Mailbox*>, TurnedDown> turned_down_;
  std::map<LeaseId, std::uint8_t> told_why_;  // the last reason that was sent
  std::size_t kept_bytes_ = 0;
};

}  // namespace coracle::detail
