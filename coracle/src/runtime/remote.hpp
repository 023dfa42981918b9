// The node among other nodes. A name that is held elsewhere has its party here as well: that is
// the custodian of what agents of this node send to it. A message goes to the other node at once,
// is *under way* until that node tells what became of it, and comes back into the party's queue
// when its reader ended or its node fell silent; so whoever holds the name next gets it.
// What came from another node is *foreign*: it is in the target's mailbox like any other message,
// but its end is told to the node that it came from.
#pragma once

#include "coracle/links.hpp"
#include "coracle/outcome.hpp"
#include "lease_set.hpp"
#include "runtime/brief_mutex.hpp"
#include "runtime/charge.hpp"
#include "runtime/frames.hpp"
#include "runtime/marks.hpp"
#include "runtime/party.hpp"
#include "runtime/remote_side.hpp"
#include "runtime/signal.hpp"

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

// When a node asks for a group's last messages.
enum LastAsked : std::uint8_t { before_joining = 1, when_joined, not_joining };

// Speaks with the other nodes. Safe to call from every thread, but for begin() and end().
class Remote final : public LinkUser, public DirectoryWatcher {
 public:
  Remote(NodeCore& node, Links& links) noexcept;
  ~Remote();

  Task<> begin();
  Task<> end();

  // A party was made: finds out who holds its name.
  void locate(Party& party);
  // Sends a message that is under way under that serial, or a copy under none; false when there is
  // no room for more: its target's party goes on when there is some again.
  bool send_message(const Holder& to, const Parcel& parcel, std::uint64_t serial);
  // Something was refused to a peer that asks for more than its share. One that goes on is not
  // heard any more.
  void on_excess(LeaseId peer);
  // Says what became of foreign messages; orders them, too.
  void send_marks(std::vector<MarkOf>& marks);
  // An agent has ended, or lost its name: to one who sent to it, behind all that it sent.
  void send_closed(LeaseId to, const Party& party, const Ending& ending);
  bool is_gone(LeaseId peer);
  // Whether the other nodes have all that was said to them; while no worker runs.
  bool is_heard() { return links_.is_heard(); }
  // A message waits for room there; false when the link has none either.
  bool send_knock(const Holder& to, const Parcel& likeness, std::uint64_t number);
  // It does not, any more.
  void send_unknock(Party& target, std::uint64_t number);
  void send_knock_answer(LeaseId to, const Party& target, std::uint64_t number,
                         std::uint8_t answer);
  // The holder of a name here has another mailbox.
  void send_mailbox(LeaseId to, const Party& party);
  // A probe goes on where its next agent lives.
  void send_probe(LeaseId to, const struct Probe& probe);
  // The node has another lease: to the others it is a new one, which has told and heard nothing.
  // These are open; one that had been taken for ended is not gone any more.
  void take_lease(const std::vector<LeaseId>& open = {});
  // A reply waits whose asker is not known yet: what the directory knows by now decides.
  void judge_replies(Worker& home, Party& target);
  // While the parties take back what was under way, nothing is sent that would overtake it.
  void pause(bool is_to_be) noexcept { is_paused_.store(is_to_be, std::memory_order_relaxed); }
  bool is_paused() const noexcept {
    return is_paused_.load(std::memory_order_relaxed) ||
           keeps_back_.load(std::memory_order_relaxed);
  }
  // Nothing that waits is sent any more: what was before it is the custodian's, or may be.
  void keep_back() noexcept { keeps_back_.store(true, std::memory_order_relaxed); }
  // Asks the others for what it had asked them for before.
  Task<> begin_again(Worker& at);

  // --- eavesdropping across nodes (remote_ears.cpp) ---
  // Returns whether the society's policy allows it.
  Task<Result<void>> tell_ear(Worker& at, std::uint64_t id, const Party& hearer,
                              const Pattern& pattern);
  Task<> drop_ear(std::uint64_t id);

  // An agent here joins a group, or has: asks all other nodes for as many of the last messages of
  // each of their senders; returns when they have given them (remote_last.cpp).
  Task<> ask_for_last(Worker& at, LastAsked when, Name group, Name member, std::size_t count);
  // It has ended meanwhile.
  Task<> call_off_last(Name group, Name member);

  // Looks at what waits for that name on other nodes (remote_peeks.cpp).
  Task<Peeked> peek(Worker& at, Name name);

  // --- the society's custodian (handing_over.cpp) ---
  // What it promises of what is handed over to it; nothing when there is none.
  std::optional<Stage> custodian();
  // Who that is; 0 when there is none.
  LeaseId keeper();
  // Hands these over, and notes of each what it promises.
  Task<> hand_over(Worker& at, std::vector<HandedOver>& messages, Deadline patience);
  // This node is the custodian, and a message that was handed over to it has ended.
  void finished(const Parcel& parcel) noexcept;

  // --- LinkUser, DirectoryWatcher ---
  void on_frame(LeaseId from, std::span<const std::byte> frame, Content content) override;
  void on_too_large(LeaseId from, std::span<const std::byte> frame) override;
  std::size_t content_limit() const noexcept override;
  void on_room(LeaseId peer) override;
  void on_apart_gone(LeaseId peer, std::uint64_t number) override;
  void on_gone(LeaseId peer) override;
  void on_back(LeaseId peer) override;
  void on_change(const DirectoryEvent& event) noexcept override;

 private:
  // A name that one has told the other, and the life of it that was last meant.
  struct Told {
    std::uint64_t number = 0;
    Incarnation life;
    std::uint64_t serial = 0, sequence = 0;  // of the last message to it, and from it
    Incarnation asks_in;                     // the life of it in which it asks, as it was told
  };
  struct Heard {
    Name name() const { return party != nullptr ? party->name : spelled ? Name(*spelled) : Name(); }
    void is_recorded_as(Party& record) noexcept {
      party = &record;
      spelled.reset();
    }

    Party* party = nullptr;  // if the name has a record here, and was looked up
    Incarnation life, asks_in;
    std::uint64_t serial = 0, sequence = 0;
    std::unique_ptr<const std::string> spelled;  // until then; not in the pool, which keeps it
    bool is_its_own = false;  // the peer may speak in that name, which has a record then
  };
  // Who is said to have sent a message; an empty name is nobody.
  struct Source {
    Name name;
    Heard* heard = nullptr;  // if the name has a number
    Name target;             // of the message
  };
  // What is done with a message when it is known whether its source is the peer's own.
  using Proven = std::function<void(Worker&, Parcel*)>;
  // A message that waits for that.
  struct Unproven {
    Source source;
    std::unique_ptr<Parcel, FreeParcel> parcel;
    Proven then;
  };
  struct Peer;
  // Rings when nothing more comes of a node that is gone.
  struct Forgetting final : TimerNode {
    Forgetting(Remote& of, Peer& gone) noexcept : TimerNode(&on_time), remote(of), peer(gone) {}
    static void on_time(TimerNode& timer) noexcept;
    Remote& remote;
    Peer& peer;
  };
  // What two nodes have told each other.
  struct Peer {
    Peer(LeaseId own, LeaseId other, bool has_several) noexcept;
    ~Peer();
    const LeaseId self;   // under which this node speaks
    const LeaseId lease;  // its own
    BriefMutex mutex;     // between workers: guards all but `heard`
    std::unordered_map<const Party*, Told> told;
    std::array<std::pair<const Party*, Told*>, 64> lately{};  // some of them
    FrameBuffer frame;                                        // scratch
    std::vector<Party*> blocked;
    bool is_full = false;  // an answer found no room: it gets no more until there is some
    // Pairs of which something large may still be on its way out: what these say comes behind it.
    std::vector<FramePair> apart;
    std::uint64_t last_apart = 0;  // the number of the last frame that was sent apart
    // Used by whoever reads its frames: the names it has told, and the messages that wait until the
    // directory has told more of their source.
    boost::container::stable_vector<Heard> heard;
    std::map<Name, std::deque<Unproven>> unproven;
    std::size_t unproven_count = 0;
    std::unique_ptr<Forgetting> forgetting;  // of all this, when it is gone
    std::atomic<unsigned> excesses{0};
    unsigned greetings = 0, looks = 0;  // of it, and its looks into mailboxes since then
    Time looks_since{};
    std::size_t names_made = 0;  // records of names that are here because it has spoken in them
    bool is_cut = false;         // what it says now came without its content, which is too large
    bool is_over = false;        // it has said what makes no sense
    bool is_forgotten = false;   // it is gone, and what it has told is not kept any more

    // Whether a message need not be sent apart. Requires the mutex.
    bool is_in_order(bool is_large) const noexcept { return !is_large && apart.empty(); }
    // Nothing of what was told it counts any more. Requires the mutex.
    void forget_told() noexcept;
    std::pair<const Party*, Told*>& told_lately(const Party& party) noexcept {
      return lately[reinterpret_cast<std::uintptr_t>(&party) / sizeof(Party) % lately.size()];
    }
  };
  struct OwnEar {
    std::uint64_t id;
    Name hearer;
    Incarnation life;  // of the hearer
    MailboxOptions mailbox;
    Pattern pattern;
  };
  // An ear that a peer asks for.
  struct EarAsked {
    std::uint64_t token = 0, id = 0;
    Name hearer;
    Incarnation life;
    Pattern pattern;
    bool is_known = false;  // there is room for it, and no other one has its number
  };
  // What a peer listens to.
  struct EarsOf {
    static constexpr std::size_t most = 16384, most_bytes = std::size_t{32} << 20;
    bool has_room() const noexcept { return ears.size() < most && bytes < most_bytes; }

    std::unordered_map<std::uint64_t, std::uint64_t> ears;  // their numbers here, 0: none yet
    std::size_t bytes = 0;
    unsigned settling = 0;               // whose hearer is being looked up
    std::vector<std::uint64_t> answers;  // its answers, which come behind these
  };
  // A question to all nodes.
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
  void forget_heard_soon(Worker& reader, Peer& gone);
  void erase_ended(Peer& gone);
  static void forget_heard(Peer& gone) noexcept;
  void come_back(Worker& at, LeaseId lease);
  Worker& reader_of(LeaseId lease);
  Told* write_name(Peer& to, FrameBuffer& out, const Party& party);
  Told* find_name(Peer& to, FrameBuffer& out, const Party& party);
  void read(Worker& at, LeaseId from, std::span<const std::byte> frame, Content&& content);
  bool send_parcel(std::uint8_t kind, const Holder& to, const Parcel& parcel, std::uint64_t number);
  std::optional<Apart> place_of(Peer& other, const FramePair& pair, bool is_large);
  // Requires other.mutex.
  bool send_frame(const Peer& other, std::span<const std::byte> frame, const Content& content,
                  const std::optional<Apart>& apart) {
    if (!apart) [[likely]]
      return links_.send(other.self, other.lease, frame, content);
    return links_.send_apart(other.self, other.lease, frame, content, *apart);
  }
  bool write_short(Peer& other, const Holder& to, const Parcel& parcel, std::uint64_t serial);
  void write_message(std::uint8_t kind, Peer& other, const Holder& to, const Parcel& parcel,
                     std::uint64_t serial, bool stands_by_itself);
  bool read_short(Worker& at, LeaseId from, std::span<const std::byte> frame, Content& content);
  void arrive(Worker& at, Parcel* parcel);
  bool read_message(Worker& at, LeaseId from, FrameReader& in, Content content);
  bool read_knock(Worker& at, LeaseId from, FrameReader& in, Content content);
  std::shared_ptr<const Charge> charge_knock(LeaseId to, const Parcel& likeness);
  bool read_unknock(Worker& at, LeaseId from, FrameReader& in);
  bool read_knock_answer(Worker& at, LeaseId from, FrameReader& in);
  bool read_marks(Worker& at, LeaseId from, FrameReader& in);
  bool read_closed(Worker& at, LeaseId from, FrameReader& in);
  bool read_mailbox(Worker& at, LeaseId from, FrameReader& in);
  bool read_probe(Worker& at, LeaseId from, FrameReader& in);
  Heard* hear_name(Peer& from, FrameReader& in, Heard& passing);
  Party* known(Heard& heard);
  bool read_known(Peer& from, FrameReader& in, Party*& party);
  Parcel* read_parcel(Worker& at, Peer& from, FrameReader& in, Content content, Source& source);
  static bool is_heard(const Peer& from) noexcept { return !from.is_over && !from.is_forgotten; }
  void refuse(LeaseId from, const std::string& why);
  // Whether a peer may speak as that source (speaking.cpp).
  Party* record_of(Worker& at, Peer& from, const Name& name);
  bool speaks_as(Worker& at, Peer& from, const Source& source, Parcel& parcel);
  void when_proven(Worker& at, Peer& from, Source source, Parcel* parcel, Proven then);
  void judge(Worker& at, Peer& from, const Name& name);
  void take_message(Worker& at, LeaseId from, Parcel* parcel, const Name& target,
                    std::uint64_t serial, Incarnation life);
  void send_back(LeaseId to, const Name& target, std::uint64_t serial, Incarnation life);
  void send_knock_answer(LeaseId to, const Name& target, std::uint64_t number, std::uint8_t answer);
  void miss_copies();
  void send_ear(LeaseId to, const OwnEar& ear, std::uint64_t token);
  Task<> ask_to_hear(Worker& at, OwnEar ear);
  void send_token(LeaseId to, std::uint8_t kind, std::uint64_t token);
  // Waits for that long for those who are not mute.
  Task<> ask_all(Worker& at, Duration patience, std::function<void(LeaseId, std::uint64_t)> ask);
  void answered(LeaseId by, std::uint64_t token);
  bool are_mute(const std::set<LeaseId>& peers) const;
  void forget_ear(std::uint64_t id);
  void forget_ears(const EarsOf& of);
  bool read_ear(Worker& at, LeaseId from, FrameReader& in);
  void settle_ear(Worker& at, LeaseId from, const EarAsked& asked,
                  const std::optional<Entry>& holder);
  bool read_no_ear(LeaseId from, FrameReader& in);
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
  void hear(Party& party, Holder holder);
  std::uint8_t kept_here() const;
  void note_keeper(LeaseId lease, std::uint8_t keeps);
  void send_keeper(LeaseId to, std::uint8_t keeps);
  bool read_keeper(LeaseId from, FrameReader& in);
  void write_kept(FrameWriter& out, const Parcel& parcel, Duration left);
  bool send_handed(LeaseId to, const Parcel& parcel, std::uint64_t serial);
  bool read_taken_over(FrameReader& in, LeaseId from);
  void keeper_gone(LeaseId lease);
  // As the custodian (custodian.cpp).
  struct Work;
  void begin_keeping(Worker& at);
  void work_on_custody(Worker& at);
  struct Kept {
    Name target;
    Time absent_until = Time::max();
    bool is_forbidden = false;  // by the policy, on the way
  };
  Parcel* read_kept(Worker& at, LeaseId from, std::span<const std::byte> head, Content content,
                    Duration age, Kept& kept);
  bool read_hand_over(Worker& at, LeaseId from, FrameReader& in, Content content);
  bool read_entrusted(Worker& at, LeaseId from, FrameReader& in, Content content);
  void take_entrusted(Worker& at, Parcel* parcel, const Name& name, Duration left,
                      const Content& bytes);
  void keep_entrusted(Worker& at, Parcel* parcel, std::span<const std::byte> head,
                      const Content& bytes, Time absent_until);
  void refuse_entrusted(Worker& at, Parcel* parcel);
  void turn_down(Worker& at, Parcel* parcel, bool may_be_stored, std::uint8_t why);
  bool has_bytes_for(const Parcel& parcel) const;
  bool has_room_for(const Party& target, std::uint32_t settling) const;
  bool may_be_held(const Party& target);
  void keep(Worker& at, Parcel* parcel, std::uint64_t id, Time absent_until);
  void send_taken_over(LeaseId to, std::uint64_t serial, std::uint8_t keeps);

  NodeCore& node_;
  Links& links_;
  std::uint64_t watch_ = 0;
  std::atomic<bool> is_paused_{false}, keeps_back_{false};
  std::atomic<std::uint64_t> sent_apart_{0};  // the number of the last such frame
  std::mutex mutex_;                          // guards what follows, but not what a Peer holds
  LeaseId self_ = 0;                          // the node's lease, as the links know it
  std::unordered_map<LeaseId, std::unique_ptr<Peer>> peers_;  // until their leases have ended
  std::vector<std::unique_ptr<Peer>> retired_;  // of an earlier lease; somebody may still look
  std::atomic<Peer*> latest_{nullptr};          // of peers_, for whoever looks without the mutex
  LeaseSet gone_, ended_;  // with which nobody speaks now; of which the directory says so
  std::vector<OwnEar> own_ears_;
  std::unordered_map<LeaseId, EarsOf> ears_of_;
  std::unordered_map<LeaseId, std::shared_ptr<Share>> knocks_of_;
  std::map<std::uint64_t, Asked> asked_;
  std::uint64_t tokens_ = 0;
  // Nobody waits for these until they answer what they were asked since that token.
  std::map<LeaseId, std::uint64_t> mute_;
  // The custodian, and what is being handed over to it.
  struct Handing {
    LeaseId to;
    std::vector<HandedOver>& messages;
    std::size_t unanswered;
    Signal done;
  };
  LeaseId keeper_ = 0;
  std::uint8_t keeper_keeps_ = 0;
  std::atomic<std::uint8_t> refusal_{0};  // why it takes nothing, as it said last
  std::optional<Handing> handing_;

  // As the custodian; of the node's worker.
  std::unique_ptr<Work> work_;
  std::unordered_map<const Party*, std::uint32_t> settling_;  // not promised yet
  // The round in which a node was told that there is no room for a name.
  struct TurnedDown {
    Incarnation round;
    std::uint8_t why = 0;
  };
  std::map<std::pair<LeaseId, const Party*>, TurnedDown> turned_down_;
  std::map<LeaseId, std::uint8_t> told_why_;  // the last reason
  std::size_t kept_bytes_ = 0;
};

}  // namespace coracle::detail
