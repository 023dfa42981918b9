// The slot requests that go to other nodes and come from them, and their replies. At the mailboxes,
// slot_waiting.cpp handles them.
#pragma once

#include "message_reader.hpp"
#include "message_writer.hpp"
#include "runtime/sending/charge.hpp"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace coracle::detail {

// Safe to call from every thread; frames are read on the worker that reads the peer's frames. A
// reader returns false for a frame that makes no sense.
class SlotRequests {
 public:
  SlotRequests(NodeCore& node, Peers& peers, Sources& sources, MessageWriter& writer,
               MessageReader& reader) noexcept
      : node_(node), peers_(peers), sources_(sources), writer_(writer), reader_(reader) {}

  // Requests a slot for a waiting message; returns false when the link has no room either.
  bool send(const Holder& to, const MessageRecord& likeness, std::uint64_t number);
  // The message does not wait any more.
  void withdraw(Mailbox& target, std::uint64_t number);
  void reply(LeaseId to, const Mailbox& target, std::uint64_t number, std::uint8_t answer);

  bool read(Worker& at, Peer& from, FrameReader& in, Content content);
  bool read_withdrawal(Peer& from, FrameReader& in);
  bool read_reply(Peer& from, FrameReader& in);
  // The node with that lease is gone.
  void forget(LeaseId lease);

 private:
  void reply_without_record(LeaseId to, const Name& target, std::uint64_t number,
                            std::uint8_t answer);
  std::shared_ptr<const Charge> charge(LeaseId to, const MessageRecord& likeness);

  NodeCore& node_;
  Peers& peers_;
  Sources& sources_;
  MessageWriter& writer_;
  MessageReader& reader_;
  std::mutex mutex_;  // guards what follows
  std::unordered_map<LeaseId, std::shared_ptr<Share>> of_peers_;
};

}  // namespace coracle::detail
