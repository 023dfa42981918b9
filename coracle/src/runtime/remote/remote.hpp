// The node among other nodes. A name that is held elsewhere has a mailbox here as well, which keeps
// what agents of this node send to that name. A message goes to the other node at once and is
// *under way* until that node reports its outcome. It returns to the queue here when its reader
// ended or its node became silent, so that the next holder of the name gets it. A message from
// another node is *foreign*: it is in the target's mailbox like any other message, but its end is
// reported to the node that it came from.
#pragma once

#include "coracle/transport.hpp"
#include "message_reader.hpp"
#include "message_writer.hpp"
#include "reports.hpp"
#include "requests_to_all.hpp"
#include "runtime/elsewhere/side.hpp"
#include "runtime/groups/last_requests.hpp"
#include "runtime/groups/own_taps.hpp"
#include "runtime/groups/taps_of_peers.hpp"
#include "runtime/inspection/inspections.hpp"
#include "runtime/operating/operations.hpp"
#include "runtime/operating/steps.hpp"
#include "runtime/store/store_client.hpp"
#include "runtime/store/store_server.hpp"
#include "slot_requests.hpp"

#include <atomic>
#include <vector>

namespace coracle::detail {

// Exchanges frames with the other nodes. A frame is a kind, followed by the contents of that kind;
// Remote finds the Peer that it comes from, and the component in charge reads it. A component whose
// state several threads use has a mutex of its own. While it holds the mutex, it may call Peers,
// and no other component. Safe to call from every thread, except begin() and end().
class Remote final : public FrameReceiver, public DirectoryWatcher {
 public:
  Remote(NodeCore& node, Transport& transport) noexcept;

  Peers& peers() noexcept { return peers_; }
  Reports& reports() noexcept { return reports_; }
  SlotRequests& slots() noexcept { return slots_; }
  Inspections& inspections() noexcept { return inspections_; }
  Operations& operations() noexcept { return operations_; }
  Steps& steps() noexcept { return steps_; }
  OwnTaps& own_taps() noexcept { return own_taps_; }
  LastRequests& last_requests() noexcept { return last_requests_; }
  // The society's message store.
  StoreClient& store() noexcept { return store_; }
  // This node as the message store.
  StoreServer& store_server() noexcept { return store_server_; }

  Task<> begin();
  Task<> end();

  // Finds the holder of the name of a new mailbox.
  void locate(Mailbox& mailbox);
  // Sends a message that is under way under `serial`, or a copy under no serial (0). Returns false
  // when there is no room for another; the target's mailbox continues when there is room again.
  bool send_message(const Holder& to, const MessageRecord& record, std::uint64_t serial);
  // The node has another lease: to the others it is a new one, which has sent and received nothing.
  // The leases in `open` are open; one that had been taken for ended is no longer gone.
  void take_lease(const std::vector<LeaseId>& open = {});
  // While the mailboxes take back what was under way, nothing is sent that would overtake it.
  void pause(bool is_to_be) noexcept { is_paused_.store(is_to_be, std::memory_order_relaxed); }
  bool is_paused() const noexcept {
    return is_paused_.load(std::memory_order_relaxed) ||
           keeps_back_.load(std::memory_order_relaxed);
  }
  // Stops sending what waits: the messages before it are, or may be, at the message store.
  void keep_back() noexcept { keeps_back_.store(true, std::memory_order_relaxed); }
  // Registers this node's taps at the other nodes again, and announces whether it stores messages.
  Task<> begin_again(Worker& at);

  // --- FrameReceiver, DirectoryWatcher ---
  void on_frame(LeaseId from, std::span<const std::byte> frame, Content content) override;
  void on_too_large(LeaseId from, std::span<const std::byte> frame) override;
  std::size_t content_limit() const noexcept override;
  void on_room(LeaseId peer) override { peers_.on_room(peer); }
  void on_apart_gone(LeaseId peer, std::uint64_t number) override {
    peers_.on_apart_gone(peer, number);
  }
  void on_gone(LeaseId peer) override;
  void on_back(LeaseId peer) override;
  void on_change(const DirectoryEvent& event) noexcept override;

 private:
  void come_back(Worker& at, LeaseId lease);
  // Calls `act` on the worker that reads the frames of that node, behind those that have come.
  void at_reader(LeaseId lease, std::function<void(Worker&)> act);
  void read(Worker& at, Peer& from, std::span<const std::byte> frame, Content&& content);
  bool dispatch(Worker& at, std::uint8_t kind, Peer& from, FrameReader& in, Content&& content);

  NodeCore& node_;
  Transport& transport_;
  std::uint64_t watch_ = 0;
  std::atomic<bool> is_paused_{false}, keeps_back_{false};
  Peers peers_;
  Sources sources_;
  MessageWriter writer_;
  MessageReader reader_;
  SlotRequests slots_;
  StoreClient store_;
  StoreServer store_server_;
  Reports reports_;
  RequestsToAll requests_;
  Inspections inspections_;
  Operations operations_;
  Steps steps_;
  OwnTaps own_taps_;
  TapsOfPeers taps_of_peers_;
  LastRequests last_requests_;
};

}  // namespace coracle::detail
