// The node among other nodes. A name that is held elsewhere has a mailbox here as well, which keeps
// what agents of this node send to that name. A message goes to the other node at once and is
// *under way* until that node reports its outcome. It returns to the queue here when its reader
// ended or its node became silent, so that the next holder of the name gets it. A message from
// another node is *foreign*: it is in the target's mailbox like any other message, but its end is
// reported to the node that it came from.
#pragma once

#include "coracle/outcome.hpp"
#include "coracle/support/bytes.hpp"
#include "coracle/support/core_frames.hpp"
#include "coracle/support/signal.hpp"
#include "coracle/transport.hpp"
#include "delivery_reports.hpp"
#include "runtime/mailbox/mailbox.hpp"
#include "runtime/store/store_client.hpp"
#include "runtime/store/store_server.hpp"
#include "runtime/worker/brief_mutex.hpp"
#include "side.hpp"
#include "slot_requests.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

// Exchanges frames with the other nodes. Safe to call from every thread, except begin() and end().
class Remote final : public FrameReceiver, public DirectoryWatcher {
 public:
  Remote(NodeCore& node, Transport& transport) noexcept;
  ~Remote();

  Peers& peers() noexcept { return peers_; }
  SlotRequests& slots() noexcept { return slots_; }
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
  // Sends the delivery reports of foreign messages; also sorts `reports`.
  void send_reports(std::vector<DeliveryReport>& reports);
  // Announces that an agent has ended, or lost its name, to a node that sent to it; goes behind all
  // that the agent sent.
  void send_closed(LeaseId to, const Mailbox& mailbox, const Ending& ending);
  // Returns whether the other nodes have everything that was sent. Requires that no worker runs.
  bool all_acknowledged() { return transport_.all_acknowledged(); }
  // Announces that the holder of a name here has another mailbox.
  void send_mailbox(LeaseId to, const Mailbox& mailbox);
  // Sends a probe to the node of its next agent.
  void send_probe(LeaseId to, const struct Probe& probe);
  // The node has another lease: to the others it is a new one, which has sent and received nothing.
  // The leases in `open` are open; one that had been taken for ended is no longer gone.
  void take_lease(const std::vector<LeaseId>& open = {});
  // Decides on waiting replies whose requester is not known yet, by what the directory then knows.
  void judge_replies(Worker& home, Mailbox& target);
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

  // --- eavesdropping across nodes (remote_taps.cpp) ---
  // Registers a tap at all nodes. Fails when the society's policy does not allow it.
  Task<Result<void>> tell_tap(Worker& at, std::uint64_t id, const Mailbox& eavesdropper,
                              const Pattern& pattern);
  Task<> drop_tap(std::uint64_t id);

  // An agent here joins a group, or has joined: requests up to `count` of the last messages of each
  // sender on all other nodes; returns when they have been sent (remote_last.cpp).
  Task<> ask_for_last(Worker& at, LastAsked when, Name group, Name member, std::size_t count);
  // The agent has ended meanwhile: cancels its request.
  Task<> call_off_last(Name group, Name member);

  // Lists the messages that wait for that name on other nodes (peeks.cpp).
  Task<Peeked> peek(Worker& at, Name name);

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
  struct OwnTap {
    std::uint64_t id;
    Name eavesdropper;
    Incarnation life;  // of the eavesdropper
    MailboxOptions mailbox;
    Pattern pattern;
  };
  // A tap that a peer requests.
  struct TapAsked {
    std::uint64_t token = 0, id = 0;
    Name eavesdropper;
    Incarnation life;
    Pattern pattern;
    bool is_known = false;  // there is room for it, and no other tap has its number
  };
  // The taps of a peer.
  struct TapsOf {
    static constexpr std::size_t most = 16384, most_bytes = std::size_t{32} << 20;
    bool has_room() const noexcept { return taps.size() < most && bytes < most_bytes; }

    std::unordered_map<std::uint64_t, std::uint64_t> taps;  // their numbers here; 0: none yet
    std::size_t bytes = 0;
    unsigned settling = 0;               // taps whose eavesdropper is being looked up
    std::vector<std::uint64_t> answers;  // the peer's replies, which come behind these taps
  };
  // A request to all nodes.
  struct Asked {
    explicit Asked(Signal signal) : done(std::move(signal)) {}
    std::set<LeaseId> unanswered;
    Signal done;
    std::shared_ptr<Peeked> found = nullptr;
  };

  void come_back(Worker& at, LeaseId lease);
  void read(Worker& at, Peer& from, std::span<const std::byte> frame, Content&& content);
  bool read_reports(Worker& at, LeaseId from, FrameReader& in);
  bool read_closed(Worker& at, LeaseId from, FrameReader& in);
  bool read_mailbox(Worker& at, LeaseId from, FrameReader& in);
  bool read_probe(Worker& at, LeaseId from, FrameReader& in);
  void miss_copies();
  void send_tap(LeaseId to, const OwnTap& tap, std::uint64_t token);
  Task<> ask_to_hear(Worker& at, OwnTap tap);
  void send_token(LeaseId to, std::uint8_t kind, std::uint64_t token);
  // Waits that long for the nodes that are not mute.
  Task<> ask_all(Worker& at, Duration patience, std::function<void(LeaseId, std::uint64_t)> ask);
  void answered(LeaseId by, std::uint64_t token);
  bool are_mute(const std::set<LeaseId>& peers) const;
  void forget_tap(std::uint64_t id);
  void forget_taps(const TapsOf& of);
  bool read_tap(Worker& at, LeaseId from, FrameReader& in);
  void settle_tap(Worker& at, LeaseId from, const TapAsked& asked,
                  const std::optional<Entry>& holder);
  bool read_no_tap(LeaseId from, FrameReader& in);
  bool read_hello(LeaseId from, FrameReader& in);
  bool read_answer(LeaseId from, FrameReader& in);
  bool read_refused_question(LeaseId from, FrameReader& in);
  bool read_denied(LeaseId from, FrameReader& in);
  bool read_question(Worker& at, std::uint8_t kind, LeaseId from, FrameReader& in);
  bool read_last(LeaseId from, FrameReader& in);
  void send_last(LeaseId to, std::uint64_t token, LastAsked when, const Name& group,
                 const Name& member, std::size_t count);
  struct LateJoiner;
  Task<> expect_joiner(LeaseId from, LateJoiner joiner);
  Task<> give_joiner(LeaseId from, LateJoiner joiner);
  bool read_peek(Worker& at, LeaseId from, FrameReader& in);
  bool may_look_now(LeaseId from, Time now);
  bool has_no_room(LeaseId peer);
  bool read_peeked(LeaseId from, FrameReader& in);
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
  std::mutex mutex_;  // guards what follows
  std::vector<OwnTap> own_taps_;
  std::unordered_map<LeaseId, TapsOf> taps_of_;
  std::map<std::uint64_t, Asked> asked_;
  std::uint64_t tokens_ = 0;
  // Nobody waits for these nodes until they reply to a request with that token or a later one.
  std::map<LeaseId, std::uint64_t> mute_;
};

}  // namespace coracle::detail
