// One thread's share of a node: it runs the agents whose home it is. Workers share nothing; what
// one has for another goes through a ring of envelopes or the other's inbox.
// Everything here is called on the worker's own thread unless it says otherwise.
#pragma once

#include "coracle/driver.hpp"
#include "coracle/observer.hpp"
#include "coracle/reactor.hpp"
#include "pattern_index.hpp"
#include "runtime/command.hpp"
#include "runtime/flow.hpp"
#include "runtime/inbox.hpp"
#include "runtime/interested.hpp"
#include "runtime/marks.hpp"
#include "runtime/parking.hpp"
#include "runtime/party.hpp"
#include "runtime/probe_again.hpp"
#include "runtime/requests.hpp"
#include "runtime/ring.hpp"
#include "runtime/spinning.hpp"
#include "runtime/timers.hpp"
#include "runtime/turn_length.hpp"

#include <array>
#include <deque>
#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

using ParcelRing = Ring<Parcel>;

// What became of an attempt to send.
enum class Sent : std::uint8_t { accepted, wait, failed };

extern constinit thread_local Worker* current_worker;
// Where this thread's exceptions that are on their way are counted.
unsigned* uncaught_exceptions_of_this_thread() noexcept;

class Worker {
 public:
  Worker(NodeCore& node, unsigned index);
  ~Worker();

  NodeCore& node() noexcept { return node_; }
  unsigned index() const noexcept { return index_; }
  Timers& timers() noexcept { return timers_; }
  Time now() const noexcept;

  // The worker whose thread this is; nullptr on other threads.
  static Worker* current() noexcept { return current_worker; }

  // Whether the node has ended: what waits for messages waits in vain.
  bool ended() const noexcept;
  // Whether an exception is on its way through the frames of this thread.
  bool unwinding() const noexcept { return *uncaught_ != 0; }

  // --- running (worker.cpp) ---
  void start(int processor);
  void join();
  // Does everything that can be done now, within a budget; returns whether there was anything.
  bool turn();
  void post(Command& command) noexcept;  // from any thread
  void wake() noexcept;                  // from any thread
  // Lets a coroutine go on, after those that are ready already.
  void schedule(Waiting& waiting) noexcept {
    waiting.unlink();
    ready_.push_back(waiting);
  }
  // A coroutine waits for something that is not a message.
  void wait(Waiting& waiting) noexcept { waits_.push_back(waiting); }
  // Whether a coroutine that could go on shall let others run first.
  bool spent() noexcept { return --budget_ < 0; }
  void end_turn() noexcept { length_.end(); }
  void begin(Agent& agent, std::coroutine_handle<> frame);
  void cancel_begin(const Agent& agent) noexcept;
  void run_detached(Task<> task);  // one of the library's own
  // Ends every wait; what they waited for is not to be had any more.
  void end_waits() noexcept;
  bool idle() noexcept;

  // --- without a thread (driven.cpp) ---
  void turn_by(Driver& driver);
  // Tells the driver, if there is one, what is touched (driver.hpp).
  void touches(const Party& party) noexcept;
  void touches_all() noexcept;
  void rests(const Party& party) noexcept;
  // Whether a turn would do anything at that time.
  bool has_work(Time present) noexcept;

  // --- sending (sending.cpp) ---
  bool send_plain(Agent& sender, Parcel& parcel) noexcept;
  bool reply_plain(Agent& sender, const Message& request, Content& answer);
  bool send_across(Agent& sender, Party& target, Content& content,
                   Conversation conversation) noexcept;
  static bool encode(Parcel& parcel) noexcept;
  Sent try_send(Agent& sender, Parcel*& parcel, Errc& error);
  Errc refusal_of(const Agent& sender, const Parcel& parcel) const noexcept;
  Sent carry(Party& source, Parcel*& parcel, Errc& error);
  Sent try_send_overheard(Party& source, Parcel*& parcel, Errc& error);
  void refuse(Agent& sender, Parcel*& parcel) noexcept;  // it was not accepted
  // The party of a name; made when there is none.
  Party* resolve(std::string_view name);

  // --- delivery (delivery.cpp) ---
  Verdict deliver(Envelope& envelope);
  void arrive(Parcel* parcel) noexcept;
  void arrive_at(Party& target, Parcel* parcel) noexcept;
  Verdict offer(Party& target, Parcel* parcel, bool may_wait) noexcept;
  bool offer_plain(Party& target, Parcel* parcel) noexcept;
  bool arrive_plain(const Parcel& slot) noexcept;
  Verdict offer_at_length(Party& target, Parcel* parcel, bool may_wait) noexcept;
  Verdict deliver_elsewhere(Worker& home, Party& target, Envelope& envelope) noexcept;
  void put(Party& target, Parcel* parcel) noexcept;
  bool hand_to_reader(Party& target, Parcel* parcel) noexcept;
  void hand_out(Party& target, Parcel* parcel) noexcept;
  void hand_out_plain(Party& target, Parcel* parcel) noexcept;
  void hand_plain_to(Reader& reader, Party& target, Parcel* parcel) noexcept;
  void count_release(Party& target) noexcept;
  void release_claim(Party& target, Parcel& parcel) noexcept;
  void release_claims() noexcept;
  bool claim_place(Party& target, std::uint32_t mode, Worker& home) noexcept;
  void return_prepaid() noexcept;
  void call_in_places(Party& party);
  void give_back_places(std::uint32_t places) noexcept;
  // Sends a parcel on to another worker, whatever the room: it waits here for the ring.
  void forward(Worker& to, Parcel* parcel) noexcept;
  void redirect(Party& target, Parcel* parcel) noexcept;
  std::size_t bytes_limit(const Party& target) const noexcept;

  // --- what waits (mailbox.cpp) ---
  Queue& queue_of(Party& target);
  void store(Party& target, Parcel* parcel) noexcept;
  void store_first(Party& target, Parcel* parcel) noexcept;
  void count_in(Party& target, const Parcel& parcel) noexcept;
  void count_bytes(Party& target, const Parcel& parcel) noexcept;
  void count_out(Party& target, const Parcel& parcel) noexcept;
  void put_in_mailbox(Party& target, Parcel* parcel) noexcept;
  void left_mailbox(Party& target, Parcel& parcel) noexcept;
  Parcel* take(Party& target, const Match& match) noexcept;
  Parcel* take_plain(Party& target) noexcept;
  void make_room(Party& target, const Parcel& newcomer) noexcept;
  void set_mailbox(Party& target, const MailboxOptions& options);

  // --- endings of messages (settling.cpp) ---
  void consume(Parcel* parcel) noexcept;
  bool consume_plain(Parcel* parcel) noexcept;
  void give_back(Parcel* parcel) noexcept;
  void return_later(Parcel* parcel) noexcept;
  void requeue_returned(Party& target) noexcept;
  void end_parcel(Parcel* parcel, Outcome outcome, DropReason reason = DropReason::oldest) noexcept;
  void bury(const Parcel& parcel, const char* reason) noexcept;
  void answer_for(const Parcel& request, Outcome outcome) noexcept;
  void report(const Parcel& parcel, Stage stage) noexcept;
  void report(const Parcel& parcel, Outcome outcome) noexcept;
  void expire(Party& target) noexcept;
  void watch_expiry(Party& target, const Parcel& parcel);

  // --- room (room.cpp) ---
  bool route_is_full(const Party& target) noexcept;
  void await_room(Envelope& envelope, CreditWaiter& waiter);
  void forget(CreditWaiter& waiter) noexcept;
  void add_ticket(RoomTicket* ticket) noexcept;
  void grant_room(Party& target, bool all = false) noexcept;
  bool grant_all_room() noexcept;
  void offer_ticket_to(Party& target, const Match& match) noexcept;
  void return_ticket(RoomTicket* ticket) noexcept;
  void wake_route_waiters() noexcept;
  // All who wait for room at a party try again, or are told no.
  void release_tickets(Party& target) noexcept;

  // --- for the observer, if there is one (observing.cpp) ---
  bool is_observed() const noexcept { return observer_ != nullptr; }
  // Has the observer number a message that it has not seen.
  void meet(Parcel& parcel) noexcept {
    if (is_observed()) [[unlikely]]
      introduce(parcel);
  }
  Sent try_send_observed(Party& source, Parcel*& parcel, Errc& error);
  void observe(Happening what, const Parcel& parcel, std::uint64_t number = 0) noexcept {
    if (is_observed()) [[unlikely]]
      note(what, parcel, number);
  }
  void observe(Happening what, const Party& whose, std::uint64_t number = 0,
               std::string_view text = {}) noexcept {
    if (is_observed()) [[unlikely]]
      note(what, 0, whose, number, text);
  }

  // --- requests (asking.cpp) ---
  std::uint64_t open_request(Asking& asking) { return requests_.open(asking, next_number()); }
  void close_request(std::uint64_t tag) noexcept;
  std::unordered_set<std::uint64_t> not_for_next_holder;  // requests that end with whom they asked
  void answer(Parcel* reply) noexcept;
  Asking* request(std::uint64_t tag) const noexcept { return requests_.find(tag); }
  // A conversation that nobody on this node has, and no request.
  std::uint64_t new_conversation() noexcept;
  void fail_requests(Party& asked, Errc error, const std::string& text,
                     const std::vector<std::uint64_t>& still_queued) noexcept;
  std::size_t open_requests() const noexcept { return requests_.count(); }
  bool gave_up_requests = false;  // some have ended without an answer

  // --- eavesdropping (overhearing.cpp) ---
  bool anybody_hears() const noexcept { return !hearers_.empty(); }
  const std::vector<std::uint64_t>& who_hears(const Party& source, const Parcel& parcel);
  void add_ear(std::uint64_t id, Party& hearer, const Pattern& pattern, std::uint64_t told);
  void remove_ear(std::uint64_t id);
  void note_whether_plain() noexcept;
  RegisteredPatterns registered;  // for broadcasts
  // Eavesdroppers hear a message that goes to nobody.
  void let_overhear(Party& source, Parcel& parcel);
  void send_copies(const Parcel& original, const std::vector<std::uint64_t>& ears);
  void route_copy(Parcel* copy) noexcept;
  void deliver_copy(Party& hearer, Parcel* copy) noexcept;
  void miss(Parcel* copy) noexcept;
  void send_copy_away(Party& hearer, Parcel* copy) noexcept;
  void tell_gaps(Party& hearer) noexcept;
  Parcel* gap_marker(Party& hearer, std::uint64_t ear, std::uint64_t missed);
  void put_gap(Party& hearer, EarState& ear) noexcept;
  void copy_left_queue(Party& hearer, const Parcel& copy) noexcept;
  void send_pending_gaps() noexcept;

  // --- waiting in circles (waiting_cycles.cpp) ---
  // Notes that the only task of `agent` waits for `whom`; false when that closes a circle here.
  bool begin_wait(Agent& agent, Party* whom, Sending& what) noexcept;
  bool begin_wait_at_length(Party& party, Party* whom, Sending& what) noexcept;
  bool would_close_circle(const Party& party, const Party* whom) noexcept;
  void end_wait(Agent& agent, const Sending& what) noexcept;
  void forget_wait(Party& party) noexcept;
  void send_probes();
  void probe_later(Party& party);
  void probe_again() noexcept;  // those that still wait
  void follow(struct Probe* probe) noexcept;
  // The names of the circle that a wait for `from` would close.
  std::string circle(const Party& from, const Party& closer) const;

  // --- lives of agents (lifecycle.cpp) ---
  // Registers a name and has its agent begin where the spec says.
  Task<Address> make_agent(AgentSpec spec, std::unique_ptr<Agent> agent);
  void attach_at(Party& party, Worker& home, const std::shared_ptr<std::unique_ptr<Agent>>& agent,
                 const AgentSpec& spec, Incarnation life, const class Signal& done);
  Worker& wanted_home(const AgentSpec& spec);
  void task_done(Agent& agent, const std::exception_ptr& error, bool is_main) noexcept;
  void revoke_hand(Party& party) noexcept;
  void drop_ears(Party& party) noexcept;
  static Task<> leave_directory(NodeCore& node, Ending ending, std::vector<LeaseId> to_tell);
  void attach(Party& party, std::unique_ptr<Agent> agent, const AgentSpec& spec, Incarnation life);
  void fence(Party& party) noexcept;
  void end_agent(Agent& agent, EndReason reason, const std::string& text) noexcept;
  void destroy(Agent& agent, EndReason reason) noexcept;

  // --- names that are held on other nodes (proxies.cpp, holders.cpp) ---
  bool send_away_plain(Agent& sender, Parcel& parcel);
  void put_away(Party& party, Parcel* parcel) noexcept;
  void pump(Party& party) noexcept;
  void send_under_way(Party& party, struct RemoteSide& side, Parcel* parcel) noexcept;
  void unblock(Party& party) noexcept;
  void free_place(Party& party, struct UnderWay& message) noexcept;
  void on_mark(Party& party, LeaseId from, std::uint8_t said, std::uint64_t first,
               std::uint64_t count);
  void on_mark(Party& party, RemoteSide& side, struct UnderWay& message, std::uint8_t said);
  std::uint64_t end_plain(Party& party, RemoteSide& side, LeaseId by, std::uint64_t most) noexcept;
  void end_under_way(Parcel* parcel, Outcome outcome, DropReason reason) noexcept;
  void on_holder(Party& party, const struct Holder& holder);
  void on_holder_ended(Party& party, const Ending& ending);
  void on_holder_closed(Party& party, LeaseId from, const Ending& ending);
  void on_peer_gone(Party& party, LeaseId lease);
  void on_mailbox(Party& party, LeaseId from, const MailboxOptions& mailbox);
  bool awaits_answers(Party& party, Incarnation life, std::function<void(Worker&)> begin);
  void look_again(Party& party);
  void part(Party& party);

  // --- what came from other nodes (foreign.cpp) ---
  void mark(const Parcel& parcel, Outcome outcome, DropReason reason);
  void mark(const Parcel& parcel, Mark what);
  bool receive_simple(Party& target, Parcel* parcel) noexcept;
  void take_in(Party& target, Parcel* parcel) noexcept;
  void receive_foreign(Party& target, Parcel* parcel) noexcept;
  void return_foreign(Party& target, Parcel* parcel) noexcept;
  void turn_away(Party& target, Parcel* parcel, Incarnation life) noexcept;
  std::vector<LeaseId> close(Party& party, Incarnation life) noexcept;  // who is to be told
  void lose_name(Party& party) noexcept;
  void drop_foreign(Party& party) noexcept;
  void hand_over(Party& party) noexcept;
  void begin_again(Party& party);
  // --- room on other nodes (knocking.cpp) ---
  void knock(Party& target, RoomTicket& ticket);
  void on_answer(Party& target, LeaseId from, std::uint64_t number, std::uint8_t answer);
  void on_knock(Party& target, RoomTicket* ticket);
  void on_unknock(Party& target, LeaseId from, std::uint64_t number);
  void answer_knock(RoomTicket* ticket) noexcept;
  void use_entry(Party& target, Parcel& parcel);
  void forget_knocks(Party& target, LeaseId from);

  // --- moving homes (relocation.cpp) ---
  bool may_move(Party& party) noexcept;
  bool move_out(Party& party, Worker& to) noexcept;
  void send_marker(Party& party, Worker& old_home) noexcept;
  void on_marker(Party& party, Parcel* marker) noexcept;
  bool hold_back(Party& party, Parcel* parcel, unsigned from) noexcept;
  void count_held(const Parcel& parcel, int change) noexcept;
  void balance() noexcept;
  // From any thread: whether it waits for something to do.
  bool is_resting() const noexcept { return resting_.load(std::memory_order_relaxed); }

  // --- the account (ledger.cpp) ---
  Flow flow;
  std::uint64_t held_back() const noexcept { return held_back_; }
  std::uint64_t held_copies() const noexcept { return held_copies_; }
  std::size_t backlog_size() const noexcept;
  // Shows the other workers what was sent to them.
  void publish() noexcept;
  const bool is_alone;  // only its own agents can wait for each other, and no driver looks on
  bool unwinding_ends_agent = false;  // frames are being destroyed because their agent ended

 private:
  friend struct NodeAccess;
  void loop();
  bool drain_rings() noexcept;
  bool drain_ring(unsigned from) noexcept;
  void drain_rings_by(Driver& driver, bool& did) noexcept;
  bool run_one_by(Driver& driver) noexcept;
  void drain_backlog() noexcept;
  bool run_commands(Command* commands);
  void introduce(Parcel& parcel) noexcept;
  void note(Happening what, const Parcel& parcel, std::uint64_t number) noexcept;
  void note(Happening what, std::uint64_t message, const Party& whose, std::uint64_t number = 0,
            std::string_view text = {}) noexcept;
  bool run_ready() noexcept;
  int run_chain(Waiting& first) noexcept;
  void note_load() noexcept;
  bool run_timers() noexcept;
  bool something_to_do() noexcept;
  bool must_stay() noexcept;
  bool spin(Time began, Time alarm);
  void spin_or_park();

  NodeCore& node_;
  Transport& transport_;
  const unsigned index_;
  unsigned drained_from_;  // whose ring is being drained; its own index if none is
  const std::size_t content_limit_;
  const std::size_t default_bytes_;
  const bool has_policy_;
  const bool encodes_;  // typed content too travels as bytes
  Observer* const observer_;
  const bool direct_;      // the transport only delivers
  bool plain_ = false;     // and nobody must be asked, and nobody hears
  const bool own_queues_;  // mailboxes are queues of the society's own make
  const unsigned* uncaught_ = nullptr;
  Link ready_;
  Waiting* woken_ = nullptr;  // the last to which the running coroutine handed a message
  Link waits_;
  int budget_ = 0;
  TurnLength length_;
  unsigned ticks_ = 0;
  bool has_worked_ = false;  // since it went idle
  Timers timers_;
  std::deque<std::pair<Agent*, std::coroutine_handle<>>> starting_;

  Inbox<Command> inbox_;
  Parking<> parking_;
  std::shared_ptr<Reactor> reactor_;
  const bool outside_;  // things come from it that no other worker announces
  std::thread thread_;
  Spinning spinning_;
  std::vector<std::deque<Parcel*>> backlog_;  // by worker: what its ring had no room for
  std::vector<std::vector<RoomTicket*>> route_waiters_;
  Party* releasing_ = nullptr;  // whose places are about to be given back
  std::uint32_t releases_ = 0;
  Party* prepaid_for_ = nullptr;  // whose places were taken beforehand
  Worker* prepaid_home_ = nullptr;
  std::uint32_t prepaid_ = 0;
  std::vector<Party*> crowded_;  // somebody waits for room there
  std::vector<bool> dirty_;      // rings with something to publish
  static constexpr std::size_t cache_size = 1024;
  std::array<Party*, cache_size> name_cache_{};
  Requests requests_;
  std::uint64_t next_number() noexcept;
  std::uint64_t conversations_ = 0;
  PatternIndex patterns_;
  std::unordered_map<std::uint64_t, Hearer> hearers_;
  std::unordered_map<std::uint64_t, std::uint64_t> gaps_;  // by ear: copies missed on this side

  // Who was given a message lately, and by whom; who is idle between two of them can be moved.
  static constexpr std::size_t lately_size = 32;
  std::array<std::pair<Party*, Party*>, lately_size> lately_{};
  std::size_t lately_next_ = 0;
  unsigned saturated_ = 0;  // turns that left work for the next one, in a row
  std::atomic<bool> resting_{false};
  std::uint64_t held_back_ = 0, held_copies_ = 0;  // messages, and copies, of moving parties
  bool tracks_ = false;
  std::vector<MarkOf> marks_;    // for other nodes, to be told at the end of the turn
  std::vector<Party*> blocked_;  // whose wait has not been probed yet
  ProbeAgain probe_again_;
};

}  // namespace coracle::detail
