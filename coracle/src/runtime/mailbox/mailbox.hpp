// A node's record of one name: its mailbox, the agent that holds it now, its counts. It belongs to
// the name, so it exists before the agent and after it. Only its home worker touches anything but
// the atomics; a worker that moves it hands over all of it (relocation.cpp).
#pragma once

#include "coracle/detail/access.hpp"
#include "coracle/directory.hpp"
#include "coracle/mailbox.hpp"
#include "coracle/queue.hpp"
#include "coracle/transport.hpp"
#include "record_list.hpp"
#include "runtime/room/reserved_slots.hpp"
#include "runtime/room/room_line.hpp"
#include "runtime/room/slot_scan.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::detail {

class NodeCore;
class Worker;
struct ReceiptState;
struct RemoteSide;

// A tap that a message to several targets has met already, and the sequence of its copy; no
// sequence, if the tap has none.
struct MetTap {
  std::uint64_t id = 0;
  std::optional<std::uint64_t> copied = {};
};
using OverheardBy = std::shared_ptr<std::vector<MetTap>>;

// The fields that few messages carry.
struct OptionalFields {
  static void* operator new(std::size_t bytes) { return pool_allocate(bytes); }
  static void operator delete(void* fields, std::size_t bytes) noexcept {
    pool_free(fields, bytes);
  }

  Name target_name;  // the addressed name, if not that of the target mailbox
  std::vector<std::pair<std::string, std::string>> headers;
  Time deadline = Time::max();      // set by the sender
  Time absent_until = Time::max();  // while nobody holds the target's name
  Mailbox* reply_to = nullptr;
  TraceContext trace;
  std::shared_ptr<ReceiptState> receipt;
  std::uint32_t receipt_index = 0;
  std::uint32_t deliveries = 0;  // the times it was handed out and came back
  std::uint32_t redirects = 0;
  std::uint32_t kept_bytes = 0;  // the bytes that it takes in the message store's backend
  Name redirected_by;            // the mailbox that redirected it last
  std::uint64_t gap = 0;
  std::uint64_t tap = 0;
  OverheardBy heard;           // of a message to several targets
  std::uint64_t observed = 0;  // its number for the observer
  // The incarnation is that of the source in a copy for an eavesdropper.
  // For foreign messages: the node, the serial, the name here that it was sent to, and the
  // incarnation of that name; and whether the sender wants to know when it is delivered.
  LeaseId origin = 0;
  std::uint64_t serial = 0;
  Mailbox* sent_to = nullptr;
  Incarnation life;
  Incarnation asking_life;  // the requester's, for a foreign request and its reply, if it is known
  std::uint64_t entry = 0;  // the slot request by which it has a slot in a mailbox elsewhere
  std::uint64_t kept = 0;   // its number in the message store's backend, if that keeps it
  bool tracked = false;
  bool is_earlier = false;  // it was sent to a group before its target joined the group
  std::uint8_t note = 0;    // of a copy or a gap (notes.hpp)
  std::uint32_t held = 0;   // its number among the messages that are held (holds.hpp); 0: none
};
// Every message of another node has these fields: larger ones were seen to make the messages
// slower.
static_assert(sizeof(OptionalFields) <= 224);

// The outcomes that are rare; the frequent ones are in Mailbox itself.
struct Counters {
  std::uint64_t expired = 0;
  std::uint64_t refused = 0;
  std::uint64_t undeliverable = 0;
  std::array<std::uint64_t, 5> dropped{};
  std::uint64_t copies_consumed = 0;
  std::uint64_t copies_missed = 0;
  std::uint64_t store_lost = 0;
  std::uint64_t passed_on = 0;
  std::uint64_t copies_passed_on = 0;
};

// The number of copies and notices that a tap has missed since the last gap marker, by the reason.
struct Missed {
  std::uint64_t& of(GapReason reason) noexcept { return by[static_cast<std::size_t>(reason)]; }
  bool any() const noexcept { return (by[0] | by[1] | by[2]) != 0; }
  std::uint64_t copies() const noexcept {  // too many for a number: unknown
    return by[0] > MessageView::unknown_gap - by[1] ? MessageView::unknown_gap : by[0] + by[1];
  }

  std::array<std::uint64_t, 3> by{};
};
inline constexpr std::array known_gap_reasons = {GapReason::mailbox, GapReason::rate,
                                                 GapReason::notices};

// One of an eavesdropper's taps, on the eavesdropper's side. Notices have a limit of their own.
struct TapState {
  std::uint32_t& waiting(GapReason what) noexcept {
    return what == GapReason::notices ? notices_queued : queued;
  }
  bool is_full(GapReason what) noexcept {
    return waiting(what) >= (what == GapReason::notices ? std::uint64_t{3} * limit : limit);
  }

  std::uint64_t id = 0;
  std::uint32_t limit = 0;
  std::uint32_t queued = 0;
  std::uint32_t notices_queued = 0;
  Missed missed;
  bool is_closed = false;  // copies that are on their way still come
};

// A task beside run().
struct TaskRecord final : Link, RootTask {
  TaskRecord(Agent& whose, std::coroutine_handle<> which) noexcept : agent(whose), frame(which) {}
  void on_root_done(std::coroutine_handle<> done, std::exception_ptr error) noexcept override;

  Agent& agent;
  std::coroutine_handle<> frame;
};

// The debts of an old and a new home to each other while a mailbox moves.
struct Moving {
  std::vector<std::vector<MessageRecord*>> held;  // by the worker they came from
  std::vector<bool> awaited;                      // workers with a marker that has not come yet
  unsigned markers = 0;                           // the number of markers that have not come
  Worker* old_home = nullptr;
};

// Fires when a message in the queue expires.
struct Expiry final : TimerNode {
  Expiry(Worker& at, Mailbox& of) noexcept : TimerNode(&on_time), worker(at), mailbox(of) {}
  static void on_time(TimerNode& timer) noexcept;

  Worker& worker;
  Mailbox& mailbox;
};

// The members that few mailboxes need.
struct Extension {
  Extension();
  ~Extension();

  Counters& count() {
    if (!counters) counters = std::make_unique<Counters>();
    return *counters;
  }

  MailboxOptions mailbox;
  std::unique_ptr<Counters> counters;
  Link tasks;                  // TaskRecords, of fenced agents too
  std::vector<Agent*> fenced;  // agents that lost the name and have not ended yet
  RoomLine tickets;            // senders that wait for room
  std::vector<TapState> taps;
  std::unique_ptr<Moving> moving;
  std::unique_ptr<Expiry> expiry;       // of the next message that expires
  std::unique_ptr<RemoteSide> remote;   // for a name that is, or was, held on another node
  std::vector<LeaseId> correspondents;  // nodes whose messages came to its holder here
  LeaseId greedy = 0;                   // a node whose messages take more than its share
  Incarnation closed;                   // the last incarnation here that has reported everything
  std::unique_ptr<ReservedSlots> reserved_slots;
  std::unique_ptr<SlotScan> looking;
  Properties properties;  // sent to the directory, and to be sent again
  std::vector<Name> groups;
  std::unique_ptr<struct KeptByGroup> kept_last;  // for late joiners
  Mailbox* waits_for = nullptr;                   // the agent that its only task waits for
  Sending* waiting_send = nullptr;                // the send that this task awaits
  std::uint64_t wait_token = 0;  // of probes that look for a way back to it; 0: none was sent
  std::uint32_t spawned = 0;
};

// The state of a mailbox, for senders on other workers.
enum Mode : std::uint32_t {
  policy_mask = 7,
  present = 1 << 3,      // an agent holds the name
  bytes_full = 1 << 4,   // the content alone fills the mailbox
  pinned = 1 << 5,       // never moved to balance the workers
  own_mailbox = 1 << 6,  // Extension::mailbox applies, not the node's default
  returns = 1 << 7,      // a message in hand waits to be queued again
  moves = 1 << 8,        // Extension::moving is set
  few_bytes = 1 << 9,    // so small a limit that its home must judge each message
  watched = 1 << 12,     // a driver is notified of operations on it
  crowded = 1 << 10,  // a sender waits for room: a worker that gives a slot back notifies the home
  hears = 1 << 11,    // its agent overhears others, or did
  elsewhere = 1 << 13,  // an agent of another node holds the name
  held = present | elsewhere,
  storing = 1 << 14,  // it stands for its name at the message store (storing.hpp)
  shows = 1 << 15,    // an agent of that name shows its state to inspections, or did
  steps = 1 << 16,    // an operator may hold its messages: each is judged (holds.hpp)
};

// Two cache lines: every message looks at one, and messages that have to wait also look at the
// other. Other workers look at either only when they take slots beforehand.
class alignas(64) Mailbox {
 public:
  Mailbox(Name whose, Worker& where) noexcept : home(&where), name(std::move(whose)) {}
  Mailbox(const Mailbox&) = delete;
  ~Mailbox();

  Extension& ext() {
    if (!extension) extension = std::make_unique<Extension>();
    return *extension;
  }
  std::uint32_t mode_now() const noexcept { return mode.load(std::memory_order_relaxed); }
  void set_mode(std::uint32_t bits) noexcept {
    mode.store(mode_now() | bits, std::memory_order_relaxed);
  }
  void clear_mode(std::uint32_t bits) noexcept {
    mode.store(mode_now() & ~bits, std::memory_order_relaxed);
  }
  // Returns the incarnation in which the name is, or was last, held here; from any thread.
  Incarnation life() noexcept {
    return std::atomic_ref(incarnation).load(std::memory_order_relaxed);
  }
  void set_life(Incarnation life) noexcept {
    std::atomic_ref(incarnation).store(life, std::memory_order_relaxed);
  }
  bool is_present() const noexcept { return (mode_now() & Mode::present) != 0; }
  // Returns whether an agent holds the name, here or elsewhere.
  bool is_held() const noexcept { return (mode_now() & held) != 0; }
  Overflow policy() const noexcept { return static_cast<Overflow>(mode_now() & policy_mask); }
  // Returns whether something may wait: messages, or copies for an eavesdropper.
  bool has_waiting() const noexcept {
    return queued.load(std::memory_order_relaxed) != 0 || (mode_now() & hears) != 0;
  }
  // Takes the oldest message that matches out of the mailbox; null if there is none.
  MessageRecord* take(const Match& match);
  // Returns how many messages in the mailbox match.
  std::size_t count(const Match& match) const;
  // Shows every message in the mailbox, oldest first.
  template <class Show>
  void each_waiting(const Show& show) const {
    if (queue)
      return queue->each([&](const Envelope& envelope) { show(*Access::record(envelope)); });
    for (MessageRecord* record = waiting.first; record != nullptr; record = record->next)
      show(*record);
  }
  // A message is in hand from hold() until it is settled, and let_go() is called.
  void hold(MessageRecord* record) noexcept {
    record->prev = nullptr;
    record->next = in_hand;
    if (in_hand != nullptr) in_hand->prev = record;
    in_hand = record;
  }
  void let_go(MessageRecord* record) noexcept {
    (record->prev != nullptr ? record->prev->next : in_hand) = record->next;
    if (record->next != nullptr) record->next->prev = record->prev;
  }
  // Returns the number of messages that are in the mailbox or have a slot in it.
  std::uint32_t occupied() const noexcept {
    return queued.load(std::memory_order_relaxed) + claimed.load(std::memory_order_relaxed);
  }

  std::atomic<Worker*> home;
  std::atomic<std::uint32_t> mode{0};
  std::atomic<std::uint32_t> queued{0};  // messages that wait; written by the home worker only
  Link readers;                          // Readers, longest waiting first
  MessageRecord* in_hand = nullptr;      // handed out, not settled: newest first
  std::uint64_t sent = 0;
  std::uint64_t consumed = 0;
  Agent* agent = nullptr;

  alignas(64) RecordList waiting;         // unless there is a queue
  std::size_t bytes = 0;                  // of content that waits
  std::atomic<std::uint32_t> claimed{0};  // slots taken by senders on other workers
  std::atomic<std::uint32_t> limit{0};
  std::unique_ptr<Queue> queue;  // if there is one, it holds the waiting messages
  Name name;
  Incarnation incarnation;
  std::unique_ptr<Extension> extension;
};
static_assert(sizeof(Mailbox) == 128);

// The part of the library that may look inside an Agent or a spec.
struct AgentAccess {
  static Mailbox*& mailbox(Agent& agent) { return agent.mailbox_; }
  static std::coroutine_handle<>& main(Agent& agent) { return agent.main_; }
  static MessageRecord* pack(Agent& agent, Address to, Content content, std::uint16_t flags) {
    return agent.pack(to, std::move(content), 0, flags);
  }
  static bool try_send(Agent& agent, const Post& post) { return agent.try_send(post); }
  static const Name& name(const AgentSpec& spec) { return spec.name_; }
  // Returns the spec's options of the mailbox; nullptr if there are none.
  static const MailboxOptions* mailbox(const AgentSpec& spec) {
    return spec.more_ && spec.more_->mailbox ? &*spec.more_->mailbox : nullptr;
  }
  static Properties properties(const AgentSpec& spec) {
    return spec.more_ ? spec.more_->properties : Properties();
  }
  static Properties take_properties(AgentSpec& spec) {
    return spec.more_ ? std::move(spec.more_->properties) : Properties();
  }
  static std::optional<unsigned> worker(const AgentSpec& spec) { return spec.worker_; }
  static Address beside(const AgentSpec& spec) { return spec.beside_; }
  static bool take_over(const AgentSpec& spec) { return spec.take_over_; }
  static bool pinned(const AgentSpec& spec) { return spec.pinned_; }
};

// --- message records ---

// Records that a worker's thread keeps for its next messages; other threads keep none.
struct RecordCache {
  MessageRecord* first = nullptr;
  std::uint32_t count = 0;
  std::uint32_t limit = 0;

  void keep_up_to(std::uint32_t most) noexcept;
};
[[gnu::tls_model("initial-exec")]] extern constinit thread_local RecordCache record_cache;

// Allocates the memory for one record.
inline MessageRecord* allocate_record() {
  RecordCache& cache = record_cache;
  if (cache.first == nullptr) [[unlikely]] {
    return static_cast<MessageRecord*>(pool_allocate(sizeof(MessageRecord)));
  }
  --cache.count;
  return std::exchange(cache.first, cache.first->next);
}
inline MessageRecord* new_record() { return ::new (allocate_record()) MessageRecord{}; }
// Makes the next message of an agent.
[[gnu::always_inline]] inline MessageRecord* new_record(Mailbox& source, Mailbox* target,
                                                        Content content, Conversation conversation,
                                                        std::uint16_t flags) {
  MessageRecord* const record = allocate_record();
  record->source = &source;
  record->target = target;
  record->content = content.release();
  record->conversation = conversation;
  record->fields = nullptr;
  record->set_sequence(source.sent + 1);
  record->flags = flags;
  return record;
}
// Frees the record alone: its content and fields have gone elsewhere.
inline void release_record(MessageRecord* record) noexcept {
  RecordCache& cache = record_cache;
  if (cache.count >= cache.limit) return pool_free(record, sizeof(MessageRecord));
  ++cache.count;
  record->next = std::exchange(cache.first, record);
}
// Frees the record, its content and its fields; the ledger does not count this.
inline void free_record(MessageRecord* record) noexcept {
  drop(record->content);
  if (record->fields != nullptr) delete record->fields;
  release_record(record);
}
struct FreeRecord {
  void operator()(MessageRecord* record) const noexcept { free_record(record); }
};
// Returns a copy that shares the content.
MessageRecord* clone_record(const MessageRecord& record);
OptionalFields& fields_of(MessageRecord& record);
inline bool is_copy(const MessageRecord& record) noexcept {
  return (record.flags & (copy_flag | gap_flag)) != 0;
}
// Returns whether a read of `match` (nullptr: of anything) wants the message.
inline bool fits(const Match* match, MessageRecord* record) {
  if (match == nullptr) return true;
  Envelope view(record);
  const bool wanted = match->fits(view);
  Access::release(view);
  return wanted;
}
// Returns whether the message came from another node to this name, and can be given back to that
// node.
inline bool may_return(const MessageRecord& record) noexcept {
  return (record.flags & foreign_flag) != 0 && record.fields->sent_to == record.target;
}
// Returns whether the content was removed on the way: then nobody is to read the message.
inline bool is_emptied(const MessageRecord& record) noexcept {
  return (record.flags & (forbidden_flag | oversize_flag)) != 0;
}
// Returns whether the receiver of the message is there. A message for an agent that is about to
// begin here waits for that agent, although another node has an earlier incarnation of the name.
inline bool is_there_for(const Mailbox& target, const MessageRecord& record) noexcept {
  return target.is_present() || (target.is_held() && !may_return(record));
}
// Returns whether a factory is mail_queues().
bool makes_mail_queues(const QueueFactory& factory) noexcept;
// Returns whether the ledger counts the record as a message.
inline bool is_counted(const MessageRecord& record) noexcept {
  return (record.flags & (copy_flag | gap_flag | marker_flag | letter_flag)) == 0;
}

}  // namespace coracle::detail
