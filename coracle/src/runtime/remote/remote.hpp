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
#include "coracle/support/lease_set.hpp"
#include "coracle/support/signal.hpp"
#include "coracle/transport.hpp"
#include "delivery_reports.hpp"
#include "runtime/mailbox/mailbox.hpp"
#include "runtime/sending/charge.hpp"
#include "runtime/worker/brief_mutex.hpp"
#include "side.hpp"

#include <boost/container/stable_vector.hpp>

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

  Task<> begin();
  Task<> end();

  // Finds the holder of the name of a new mailbox.
  void locate(Mailbox& mailbox);
  // Sends a message that is under way under `serial`, or a copy under no serial (0). Returns false
  // when there is no room for another; the target's mailbox continues when there is room again.
  bool send_message(const Holder& to, const MessageRecord& record, std::uint64_t serial);
  // Counts a refusal to a peer that requests more than its share. A peer that continues is cut off.
  void on_excess(LeaseId peer);
  // Sends the delivery reports of foreign messages; also sorts `reports`.
  void send_reports(std::vector<DeliveryReport>& reports);
  // Announces that an agent has ended, or lost its name, to a node that sent to it; goes behind all
  // that the agent sent.
  void send_closed(LeaseId to, const Mailbox& mailbox, const Ending& ending);
  bool is_gone(LeaseId peer);
  // Returns whether the other nodes have everything that was sent. Requires that no worker runs.
  bool all_acknowledged() { return transport_.all_acknowledged(); }
  // Requests a slot for a waiting message; returns false when the link has no room either.
  bool send_slot_request(const Holder& to, const MessageRecord& likeness, std::uint64_t number);
  // Cancels the request: the message does not wait any more.
  void send_slot_withdrawal(Mailbox& target, std::uint64_t number);
  void send_slot_answer(LeaseId to, const Mailbox& target, std::uint64_t number,
                        std::uint8_t answer);
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

  // --- the society's message store (handing_over.cpp) ---
  // Returns the stage that the store promises for what is handed over; nothing without a store.
  std::optional<Stage> store_promise();
  // Returns the lease of the message store; 0 when there is none.
  LeaseId store();
  // Hands the messages over to the store, and notes its promise for each.
  Task<> hand_over(Worker& at, std::vector<HandedOver>& messages, Deadline patience);
  // A message has ended that was handed over to this node as the message store.
  void finished(const MessageRecord& record) noexcept;

  // --- FrameReceiver, DirectoryWatcher ---
  void on_frame(LeaseId from, std::span<const std::byte> frame, Content content) override;
  void on_too_large(LeaseId from, std::span<const std::byte> frame) override;
  std::size_t content_limit() const noexcept override;
  void on_room(LeaseId peer) override;
  void on_apart_gone(LeaseId peer, std::uint64_t number) override;
  void on_gone(LeaseId peer) override;
  void on_back(LeaseId peer) override;
  void on_change(const DirectoryEvent& event) noexcept override;

 private:
  // A name that was sent to the peer and has a number, and the incarnation that was last meant.
  struct SentName {
    std::uint64_t number = 0;
    Incarnation life;
    std::uint64_t serial = 0, sequence = 0;  // of the last message to it, and from it
    Incarnation asks_in;                     // its incarnation as a requester, as last sent
  };
  struct ReceivedName {
    Name name() const { return mailbox ? mailbox->name : spelled ? Name(*spelled) : Name(); }
    void has_mailbox(Mailbox& found) noexcept { mailbox = &found, spelled.reset(); }

    Mailbox* mailbox = nullptr;  // if the name has a record here, and was looked up
    Incarnation life, asks_in;
    std::uint64_t serial = 0, sequence = 0;
    std::unique_ptr<const std::string> spelled;  // until then; not pooled: the pool keeps memory
    bool is_its_own = false;  // the peer may send in that name, which has a record then
  };
  // The source that a frame gives for its message; an empty name is nobody.
  struct Source {
    Name name;
    ReceivedName* heard = nullptr;  // if the name has a number
    Name target;                    // of the message
  };
  // Runs with a message once it is known whether its source is the peer's own.
  using Proven = std::function<void(Worker&, MessageRecord*)>;
  // A message that waits for this.
  struct Unproven {
    Source source;
    std::unique_ptr<MessageRecord, FreeRecord> record;
    Proven then;
  };
  struct Peer;
  // Rings when nothing more comes from a node that is gone.
  struct Forgetting final : TimerNode {
    Forgetting(Remote& of, Peer& gone) noexcept : TimerNode(&on_time), remote(of), peer(gone) {}
    static void on_time(TimerNode& timer) noexcept;
    Remote& remote;
    Peer& peer;
  };
  // The state of the exchange between two nodes.
  struct Peer {
    Peer(LeaseId own, LeaseId other, bool has_several) noexcept;
    ~Peer();
    const LeaseId self;   // this node's lease in the exchange
    const LeaseId lease;  // the peer's lease
    BriefMutex mutex;     // between workers: guards all but `heard`
    std::unordered_map<const Mailbox*, SentName> told;
    std::array<std::pair<const Mailbox*, SentName*>, 64> lately{};  // some of `told`
    FrameBuffer frame;                                              // scratch
    std::vector<Mailbox*> blocked;
    bool is_full = false;  // a reply found no room: the peer gets no more until there is some
    // Pairs of which something large may still be on its way out: their frames go behind it.
    std::vector<FramePair> apart;
    std::uint64_t last_apart = 0;  // the number of the last frame that was sent apart
    // Used by the worker that reads the peer's frames: the names it has sent, and the messages that
    // wait until the directory has more news of their source.
    boost::container::stable_vector<ReceivedName> heard;
    std::map<Name, std::deque<Unproven>> unproven;
    std::size_t unproven_count = 0;
    std::unique_ptr<Forgetting> forgetting;  // frees these when the peer is gone
    std::atomic<unsigned> excesses{0};
    unsigned greetings = 0, looks = 0;  // its hellos, and its peeks since looks_since
    Time looks_since{};
    std::size_t names_made = 0;  // records of names that exist because the peer has sent in them
    bool is_cut = false;         // the present frame came without its content, which is too large
    bool is_over = false;        // the peer has sent a frame that makes no sense
    bool is_forgotten = false;   // the peer is gone, and the names it sent are not kept any more

    // Returns whether a message need not be sent apart. Requires the mutex.
    bool is_in_order(bool is_large) const noexcept { return !is_large && apart.empty(); }
    // Makes all names that were sent to the peer void. Requires the mutex.
    void forget_sent_names() noexcept;
    std::pair<const Mailbox*, SentName*>& sent_lately(const Mailbox& mailbox) noexcept {
      return lately[reinterpret_cast<std::uintptr_t>(&mailbox) / sizeof(Mailbox) % lately.size()];
    }
  };
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

  LeaseId self();
  Peer& peer(LeaseId lease) {
    Peer* const latest = latest_.load(std::memory_order_acquire);
    return latest != nullptr && latest->lease == lease ? *latest : look_up(lease);
  }
  Peer& look_up(LeaseId lease);
  Peer* known_peer(LeaseId lease);
  void forget(LeaseId lease);
  void forget_soon(LeaseId lease);
  void forget_received_names_soon(Worker& reader, Peer& gone);
  void erase_ended(Peer& gone);
  static void forget_received_names(Peer& gone) noexcept;
  void come_back(Worker& at, LeaseId lease);
  Worker& reader_of(LeaseId lease);
  SentName* write_name(Peer& to, FrameBuffer& out, const Mailbox& mailbox);
  SentName* find_name(Peer& to, FrameBuffer& out, const Mailbox& mailbox);
  void read(Worker& at, LeaseId from, std::span<const std::byte> frame, Content&& content);
  bool send_record(std::uint8_t kind, const Holder& to, const MessageRecord& record,
                   std::uint64_t number);
  std::optional<Apart> place_of(Peer& other, const FramePair& pair, bool is_large);
  // Requires other.mutex.
  bool send_frame(const Peer& other, std::span<const std::byte> frame, const Content& content,
                  const std::optional<Apart>& apart) {
    return transport_.send(other.self, other.lease, frame, content, apart ? &*apart : nullptr);
  }
  bool write_short(Peer& other, const Holder& to, const MessageRecord& record,
                   std::uint64_t serial);
  void write_message(std::uint8_t kind, Peer& other, const Holder& to, const MessageRecord& record,
                     std::uint64_t serial, bool stands_by_itself);
  bool read_short(Worker& at, LeaseId from, std::span<const std::byte> frame, Content& content);
  void arrive(Worker& at, MessageRecord* record);
  bool read_message(Worker& at, LeaseId from, FrameReader& in, Content content);
  bool read_slot_request(Worker& at, LeaseId from, FrameReader& in, Content content);
  std::shared_ptr<const Charge> charge_slot_request(LeaseId to, const MessageRecord& likeness);
  bool read_slot_withdrawal(Worker& at, LeaseId from, FrameReader& in);
  bool read_slot_answer(Worker& at, LeaseId from, FrameReader& in);
  bool read_reports(Worker& at, LeaseId from, FrameReader& in);
  bool read_closed(Worker& at, LeaseId from, FrameReader& in);
  bool read_mailbox(Worker& at, LeaseId from, FrameReader& in);
  bool read_probe(Worker& at, LeaseId from, FrameReader& in);
  ReceivedName* hear_name(Peer& from, FrameReader& in, ReceivedName& passing);
  Mailbox* known(ReceivedName& heard);
  bool read_known(Peer& from, FrameReader& in, Mailbox*& mailbox);
  MessageRecord* read_record(Worker& at, Peer& from, FrameReader& in, Content content,
                             Source& source);
  static bool is_listened_to(const Peer& from) noexcept {
    return !from.is_over && !from.is_forgotten;
  }
  void refuse(LeaseId from, const std::string& why);
  // Checks whether a peer may send as that source (speaking.cpp).
  Mailbox* record_of(Worker& at, Peer& from, const Name& name);
  bool speaks_as(Worker& at, Peer& from, const Source& source, MessageRecord& record);
  void when_proven(Worker& at, Peer& from, Source source, MessageRecord* record, Proven then);
  void judge(Worker& at, Peer& from, const Name& name);
  void take_message(Worker& at, LeaseId from, MessageRecord* record, const Name& target,
                    std::uint64_t serial, Incarnation life);
  void send_back(LeaseId to, const Name& target, std::uint64_t serial, Incarnation life);
  void send_slot_answer(LeaseId to, const Name& target, std::uint64_t number, std::uint8_t answer);
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
  bool read_refused_request(LeaseId from, FrameReader& in);
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
  void hear(Mailbox& mailbox, Holder holder);
  std::uint8_t kept_here() const;
  void note_store(LeaseId lease, std::uint8_t keeps);
  void send_store(LeaseId to, std::uint8_t keeps);
  bool read_store(LeaseId from, FrameReader& in);
  void write_kept(FrameWriter& out, const MessageRecord& record, Duration left);
  bool send_handed(LeaseId to, const MessageRecord& record, std::uint64_t serial);
  bool read_taken_over(FrameReader& in, LeaseId from);
  void store_gone(LeaseId lease);
  // As the message store (message_store.cpp).
  struct Work;
  void begin_keeping(Worker& at);
  void work_on_backend(Worker& at);
  struct Kept {
    Name target;
    Time absent_until = Time::max();
    bool is_forbidden = false;  // by the policy, on the way
  };
  MessageRecord* read_kept(Worker& at, LeaseId from, std::span<const std::byte> head,
                           Content content, Duration age, Kept& kept);
  bool read_hand_over(Worker& at, LeaseId from, FrameReader& in, Content content);
  bool read_store_message(Worker& at, LeaseId from, FrameReader& in, Content content);
  void take_store_message(Worker& at, MessageRecord* record, const Name& name, Duration left,
                          const Content& bytes);
  void keep_stored(Worker& at, MessageRecord* record, std::span<const std::byte> head,
                   const Content& bytes, Time absent_until);
  void refuse_to_store(Worker& at, MessageRecord* record);
  void turn_down(Worker& at, MessageRecord* record, bool may_be_stored, std::uint8_t why);
  bool has_bytes_for(const MessageRecord& record) const;
  bool has_room_for(const Mailbox& target, std::uint32_t settling) const;
  bool may_be_held(const Mailbox& target);
  void keep(Worker& at, MessageRecord* record, std::uint64_t id, Time absent_until);
  void send_taken_over(LeaseId to, std::uint64_t serial, std::uint8_t keeps);

  NodeCore& node_;
  Transport& transport_;
  std::uint64_t watch_ = 0;
  std::atomic<bool> is_paused_{false}, keeps_back_{false};
  std::atomic<std::uint64_t> sent_apart_{0};  // the number of the last frame that was sent apart
  std::mutex mutex_;                          // guards what follows, except the contents of a Peer
  LeaseId self_ = 0;                          // the node's lease, as the links know it
  std::unordered_map<LeaseId, std::unique_ptr<Peer>> peers_;  // until their leases have ended
  std::vector<std::unique_ptr<Peer>> retired_;  // of an earlier lease; may still be in use
  std::atomic<Peer*> latest_{nullptr};          // one of peers_, for access without the mutex
  LeaseSet gone_, ended_;  // without contact now; ended, according to the directory
  std::vector<OwnTap> own_taps_;
  std::unordered_map<LeaseId, TapsOf> taps_of_;
  std::unordered_map<LeaseId, std::shared_ptr<Share>> slot_requests_of_;
  std::map<std::uint64_t, Asked> asked_;
  std::uint64_t tokens_ = 0;
  // Nobody waits for these nodes until they reply to a request with that token or a later one.
  std::map<LeaseId, std::uint64_t> mute_;
  // The message store, and what is being handed over to it.
  struct Handing {
    LeaseId to;
    std::vector<HandedOver>& messages;
    std::size_t unanswered;
    Signal done;
  };
  LeaseId store_ = 0;
  std::uint8_t store_keeps_ = 0;
  std::atomic<std::uint8_t> refusal_{0};  // the last reason of the store for taking nothing
  std::optional<Handing> handing_;

  // As the message store; used by the node's worker.
  std::unique_ptr<Work> work_;
  std::unordered_map<const Mailbox*, std::uint32_t> settling_;  // those not promised yet
  // The round in which a node was refused because there is no room for a name.
  struct TurnedDown {
    Incarnation round;
    std::uint8_t why = 0;
  };
  std::map<std::pair<LeaseId, const Mailbox*>, TurnedDown> turned_down_;
  std::map<LeaseId, std::uint8_t> told_why_;  // the last reason that was sent
  std::size_t kept_bytes_ = 0;
};

}  // namespace coracle::detail
