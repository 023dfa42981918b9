// A node's record of one name: its mailbox, the agent that holds it now, its account. It belongs
// to the name, so it is there before the agent and after it. Everything but the atomics is touched
// by its home worker alone; who moves it hands all of it over (relocation.cpp).
#pragma once

#include "coracle/agent.hpp"
#include "coracle/directory.hpp"
#include "coracle/mailbox.hpp"
#include "coracle/queue.hpp"
#include "coracle/transport.hpp"
#include "runtime/kept_places.hpp"
#include "runtime/looking.hpp"
#include "runtime/parcel_list.hpp"
#include "runtime/room_line.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::detail {

class NodeCore;
class Worker;
struct ReceiptState;
struct RemoteSide;

// By which ears a message to several was heard already.
using HeardBy = std::shared_ptr<std::vector<std::uint64_t>>;

// What few messages carry.
struct Extras {
  static void* operator new(std::size_t bytes) { return pool_allocate(bytes); }
  static void operator delete(void* extras, std::size_t bytes) noexcept {
    pool_free(extras, bytes);
  }

  Name target_name;  // what was addressed, if not the party that it goes to
  std::vector<std::pair<std::string, std::string>> headers;
  Time deadline = Time::max();      // the sender's
  Time absent_until = Time::max();  // while nobody holds the target's name
  Party* reply_to = nullptr;
  TraceContext trace;
  std::shared_ptr<ReceiptState> receipt;
  std::uint32_t receipt_index = 0;
  std::uint32_t deliveries = 0;  // how often it was handed out and came back
  std::uint32_t redirects = 0;
  std::uint32_t kept_bytes = 0;  // how much it takes in the node's custody
  Name redirected_by;  // by whose mailbox, the last time
  std::uint64_t gap = 0;
  std::uint64_t ear = 0;
  HeardBy heard;               // of a message to several
  std::uint64_t observed = 0;  // its number for the observer
  // Of foreign messages: from where, under which number, to which of our names, and to which life
  // of it; and whether its sender wants to know when it is delivered.
  LeaseId origin = 0;
  std::uint64_t serial = 0;
  Party* sent_to = nullptr;
  Incarnation life;
  Incarnation asking_life;  // the asker's, of a foreign request and of its reply, if it is known
  std::uint64_t entry = 0;  // the knock by which it has a place in a mailbox elsewhere
  std::uint64_t kept = 0;   // its number in the node's custody, if it was handed over to that
  bool tracked = false;
  bool is_earlier = false;  // it was sent to a group before its target joined that
};
// Another node's messages have one each: larger ones were seen to make them slower.
static_assert(sizeof(Extras) <= 224);

// The outcomes that are rare; the frequent ones are in Party itself.
struct Counters {
  std::uint64_t expired = 0;
  std::uint64_t refused = 0;
  std::uint64_t undeliverable = 0;
  std::array<std::uint64_t, 5> dropped{};
  std::uint64_t copies_consumed = 0;
  std::uint64_t copies_missed = 0;
  std::uint64_t custodian_lost = 0;
  std::uint64_t passed_on = 0;
  std::uint64_t copies_passed_on = 0;
};

// One of a hearer's ears, on the hearer's side.
struct EarState {
  std::uint64_t id = 0;
  std::uint32_t limit = 0;
  std::uint32_t queued = 0;
  std::uint64_t missed = 0;  // since the last gap marker
  bool is_closed = false;    // copies that are on their way still come
};

// A task beside run().
struct TaskRecord final : Link, RootTask {
  TaskRecord(Agent& whose, std::coroutine_handle<> which) noexcept : agent(whose), frame(which) {}
  void on_root_done(std::coroutine_handle<> done, std::exception_ptr error) noexcept override;

  Agent& agent;
  std::coroutine_handle<> frame;
};

// What an old and a new home still owe each other while a party moves.
struct Moving {
  std::vector<std::vector<Parcel*>> held;  // by the worker they came from
  std::vector<bool> awaited;               // whose marker has not come yet
  unsigned markers = 0;                    // how many have not
  Worker* old_home = nullptr;
};

// Rings when a message in the queue expires.
struct Expiry final : TimerNode {
  Expiry(Worker& at, Party& of) noexcept : TimerNode(&on_time), worker(at), party(of) {}
  static void on_time(TimerNode& timer) noexcept;

  Worker& worker;
  Party& party;
};

// What few parties need.
struct Extension {
  Extension();
  ~Extension();

  MailboxOptions mailbox;
  Counters counters;
  Link tasks;                                    // TaskRecords, of fenced agents too
  std::vector<Agent*> fenced;                    // lost the name, have not ended yet
  RoomLine tickets;                              // senders that wait for room
  std::vector<EarState> ears;
  std::unique_ptr<Moving> moving;
  std::unique_ptr<Expiry> expiry;       // of the next message that expires
  std::unique_ptr<RemoteSide> remote;   // of a name that is, or was, held on another node
  std::vector<LeaseId> correspondents;  // nodes whose messages came to its holder here
  LeaseId greedy = 0;                   // a node whose messages take more than its share
  Incarnation closed;                   // the last life here that has answered for everything
  std::unique_ptr<KeptPlaces> kept_places;
  std::unique_ptr<Looking> looking;
  Properties properties;  // what the directory was told, to be told again
  std::vector<Name> groups;
  std::unique_ptr<struct KeptByGroup> kept_last;  // for those who join late
  Party* waits_for = nullptr;       // whose act its only task waits for
  Sending* waiting_send = nullptr;  // what that task awaits
  std::uint64_t wait_token = 0;     // of probes that look for a way back to it; 0: none was sent
  std::uint32_t spawned = 0;
};

// How a mailbox stands, for senders on other workers.
enum Mode : std::uint32_t {
  policy_mask = 7,
  present = 1 << 3,      // an agent holds the name
  bytes_full = 1 << 4,   // the content alone fills the mailbox
  pinned = 1 << 5,       // never moved for the sake of balance
  own_mailbox = 1 << 6,  // Extension::mailbox holds, not the node's default
  returns = 1 << 7,      // something in hand waits to be queued again
  moves = 1 << 8,        // Extension::moving holds
  few_bytes = 1 << 9,    // so small a limit that its home must judge each message
  watched = 1 << 12,     // a driver is told what is done with it
  crowded = 1 << 10,     // somebody waits for room: who gives a place back tells the home
  hears = 1 << 11,       // it overhears others, or did
  elsewhere = 1 << 13,   // an agent of another node holds the name
  held = present | elsewhere,
  entrusting = 1 << 14,  // it stands for its name at the custodian (entrusting.hpp)
};

// Two cache lines: one that every message looks at, and one for those that have to wait. Other
// workers look at either only when they take places beforehand.
class alignas(64) Party {
 public:
  Party(Name whose, Worker& where) noexcept : home(&where), name(std::move(whose)) {}
  Party(const Party&) = delete;
  ~Party();

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
  // The life in which it is, or was last, held here; from any thread.
  Incarnation life() noexcept {
    return std::atomic_ref(incarnation).load(std::memory_order_relaxed);
  }
  void set_life(Incarnation life) noexcept {
    std::atomic_ref(incarnation).store(life, std::memory_order_relaxed);
  }
  bool is_present() const noexcept { return (mode_now() & Mode::present) != 0; }
  // Whether somebody holds the name, here or elsewhere.
  bool is_held() const noexcept { return (mode_now() & held) != 0; }
  Overflow policy() const noexcept { return static_cast<Overflow>(mode_now() & policy_mask); }
  // Whether something may wait: messages, or copies for a hearer.
  bool has_waiting() const noexcept {
    return queued.load(std::memory_order_relaxed) != 0 || (mode_now() & hears) != 0;
  }
  // Takes the oldest message that fits out of the mailbox, or nothing.
  Parcel* take(const Match& match);
  // How many messages in the mailbox fit.
  std::size_t count(const Match& match) const;
  // Shows every message in the mailbox, oldest first.
  template <class Show>
  void each_waiting(const Show& show) const {
    if (queue) return queue->each([&](const Envelope& envelope) { show(*envelope.parcel()); });
    for (Parcel* parcel = waiting.first; parcel != nullptr; parcel = parcel->next) show(*parcel);
  }
  // The message is in somebody's hands until it is settled, and then no more.
  void hold(Parcel* parcel) noexcept {
    parcel->prev = nullptr;
    parcel->next = in_hand;
    if (in_hand != nullptr) in_hand->prev = parcel;
    in_hand = parcel;
  }
  void let_go(Parcel* parcel) noexcept {
    (parcel->prev != nullptr ? parcel->prev->next : in_hand) = parcel->next;
    if (parcel->next != nullptr) parcel->next->prev = parcel->prev;
  }
  // Messages that are in the mailbox or have a place in it.
  std::uint32_t occupied() const noexcept {
    return queued.load(std::memory_order_relaxed) + claimed.load(std::memory_order_relaxed);
  }

  std::atomic<Worker*> home;
  std::atomic<std::uint32_t> mode{0};
  std::atomic<std::uint32_t> queued{0};  // messages that wait; written by the home worker only
  Link readers;                          // Readers, longest waiting first
  Parcel* in_hand = nullptr;             // handed out, not settled: newest first
  std::uint64_t sent = 0;
  std::uint64_t consumed = 0;
  Agent* agent = nullptr;

  alignas(64) ParcelList waiting;         // unless there is a queue
  std::size_t bytes = 0;                  // of content that waits
  std::atomic<std::uint32_t> claimed{0};  // places taken by senders on other workers
  std::atomic<std::uint32_t> limit{0};
  std::unique_ptr<Queue> queue;  // if there is one, it holds what waits
  Name name;
  Incarnation incarnation;
  std::unique_ptr<Extension> extension;
};
static_assert(sizeof(Party) == 128);

// The part of the library that may look inside an Agent or a spec.
struct AgentAccess {
  static Party*& party(Agent& agent) { return agent.party_; }
  static std::coroutine_handle<>& main(Agent& agent) { return agent.main_; }
  static Parcel* pack(Agent& agent, Address to, Content content, std::uint16_t flags) {
    return agent.pack(to, std::move(content), 0, flags);
  }
  static const Name& name(const AgentSpec& spec) { return spec.name_; }
  // What the spec says of the mailbox; nullptr for nothing.
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

// --- parcels ---

// Records that a worker's thread keeps for its next messages; other threads keep none.
struct ParcelCache {
  Parcel* first = nullptr;
  std::uint32_t count = 0;
  std::uint32_t limit = 0;

  void keep_up_to(std::uint32_t most) noexcept;
};
extern constinit thread_local ParcelCache parcel_cache;

// Memory for one.
inline Parcel* new_record() {
  ParcelCache& cache = parcel_cache;
  if (cache.first == nullptr) [[unlikely]] {
    return static_cast<Parcel*>(pool_allocate(sizeof(Parcel)));
  }
  --cache.count;
  return std::exchange(cache.first, cache.first->next);
}
inline Parcel* new_parcel() { return ::new (new_record()) Parcel{}; }
// The next message of an agent.
[[gnu::always_inline]] inline Parcel* new_parcel(Party& source, Party* target, Content content,
                                                 Conversation conversation, std::uint16_t flags) {
  Parcel* const parcel = new_record();
  parcel->source = &source;
  parcel->target = target;
  parcel->content = content.release();
  parcel->conversation = conversation;
  parcel->extras = nullptr;
  parcel->set_sequence(source.sent + 1);
  parcel->flags = flags;
  return parcel;
}
// Frees the record alone: what it refers to has gone elsewhere.
inline void free_record(Parcel* parcel) noexcept {
  ParcelCache& cache = parcel_cache;
  if (cache.count >= cache.limit) return pool_free(parcel, sizeof(Parcel));
  ++cache.count;
  parcel->next = std::exchange(cache.first, parcel);
}
// Frees the record and what it refers to, without any account.
inline void free_parcel(Parcel* parcel) noexcept {
  drop(parcel->content);
  if (parcel->extras != nullptr) delete parcel->extras;
  free_record(parcel);
}
struct FreeParcel {
  void operator()(Parcel* parcel) const noexcept { free_parcel(parcel); }
};
// A copy that shares the content.
Parcel* clone_parcel(const Parcel& parcel);
Extras& extras_of(Parcel& parcel);
inline bool is_copy(const Parcel& parcel) noexcept {
  return (parcel.flags & (copy_flag | gap_flag)) != 0;
}
// Whether a read of `match` (nullptr: of anything) wants it.
inline bool fits(const Match* match, Parcel* parcel) {
  if (match == nullptr) return true;
  Envelope view(parcel);
  const bool wanted = match->fits(view);
  view.release();
  return wanted;
}
// Whether it came from another node to this name, and can be given back to that node.
inline bool may_return(const Parcel& parcel) noexcept {
  return (parcel.flags & foreign_flag) != 0 && parcel.extras->sent_to == parcel.target;
}
// Whether what it said was taken out on its way: then nobody is to read it.
inline bool is_emptied(const Parcel& parcel) noexcept {
  return (parcel.flags & (forbidden_flag | oversize_flag)) != 0;
}
// Whether whoever is to get it is there. What came for an agent that is about to begin here waits
// for that one, although another node has an earlier life of the name.
inline bool is_there_for(const Party& target, const Parcel& parcel) noexcept {
  return target.is_present() || (target.is_held() && !may_return(parcel));
}
// Whether a factory is mail_queues().
bool makes_mail_queues(const QueueFactory& factory) noexcept;
// Whether the ledger knows it as a message.
inline bool is_counted(const Parcel& parcel) noexcept {
  return (parcel.flags & (copy_flag | gap_flag | marker_flag | letter_flag)) == 0;
}

}  // namespace coracle::detail
