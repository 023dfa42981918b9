// One thread's share of a node: it runs the agents whose home it is. Workers share nothing; they
// exchange envelopes by rings, and commands by inboxes. Only this thread calls, unless stated.
#pragma once

#include "command.hpp"
#include "coracle/driver.hpp"
#include "coracle/observer.hpp"
#include "coracle/reactor.hpp"
#include "coracle/support/spinning.hpp"
#include "inbox.hpp"
#include "parking.hpp"
#include "patterns/pattern_index.hpp"
#include "ring.hpp"
#include "runtime/groups/interested.hpp"
#include "runtime/mailbox/mailbox.hpp"
#include "runtime/remote/delivery_reports.hpp"
#include "runtime/remote/probe_again.hpp"
#include "runtime/sending/flow.hpp"
#include "runtime/sending/requests.hpp"
#include "timers.hpp"
#include "turn_length.hpp"

#include <array>
#include <deque>
#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

using RecordRing = Ring<MessageRecord>;

enum class Sent : std::uint8_t { accepted, wait, failed };

extern constinit thread_local Worker* current_worker;
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

  // Returns whether the node has ended: waiting for messages is in vain then.
  bool ended() const noexcept;
  // Returns whether an exception is on its way through the frames of this thread.
  bool unwinding() const noexcept { return *uncaught_ != 0; }

  // --- running (worker.cpp) ---
  void start(int processor);
  void join();
  // Does everything that can be done now, within a budget; returns whether there was anything.
  bool turn();
  void post(Command& command) noexcept;  // from any thread
  void wake() noexcept;                  // from any thread
  // Lets a coroutine continue, after those that are ready already.
  void schedule(Waiting& waiting) noexcept {
    waiting.unlink();
    ready_.push_back(waiting);
  }
  // A coroutine waits for something that is not a message.
  void wait(Waiting& waiting) noexcept { waits_.push_back(waiting); }
  // Returns whether a coroutine that could continue shall let others run first.
  bool spent() noexcept { return --budget_ < 0; }
  void end_turn() noexcept { length_.end(); }
  void begin(Agent& agent, std::coroutine_handle<> frame);
  void cancel_begin(const Agent& agent) noexcept;
  void run_detached(Task<> task);  // one of the library's own
  // Ends every wait, without what it waited for.
  void end_waits() noexcept;
  bool idle() noexcept;

  // --- without a thread (driven.cpp) ---
  void turn_by(Driver& driver);
  // Notifies the driver, if there is one, of what is touched (driver.hpp).
  void touches(const Mailbox& mailbox) noexcept;
  void touches_all() noexcept;
  void rests(const Mailbox& mailbox) noexcept;
  bool has_work(Time present) noexcept;

  // --- sending (sending.cpp) ---
  bool send_plain(Agent& sender, MessageRecord& record) noexcept;
  bool reply_plain(Agent& sender, const Message& request, Content& answer);
  bool send_across(Agent& sender, Mailbox& target, Content& content,
                   Conversation conversation) noexcept;
  static bool encode(MessageRecord& record) noexcept;
  Sent try_send(Agent& sender, MessageRecord*& record, Errc& error);
  Errc refusal_of(const Agent& sender, const MessageRecord& record) const noexcept;
  Sent carry(Mailbox& source, MessageRecord*& record, Errc& error);
  Sent try_send_overheard(Mailbox& source, MessageRecord*& record, Errc& error);
  void refuse(Agent& sender, MessageRecord*& record) noexcept;  // it was not accepted
  // Returns the mailbox of a name; makes it when there is none.
  Mailbox* resolve(std::string_view name);

  // --- delivery (delivery.cpp) ---
  Verdict deliver(Envelope& envelope);
  void arrive(MessageRecord* record) noexcept;
  void arrive_at(Mailbox& target, MessageRecord* record) noexcept;
  Verdict offer(Mailbox& target, MessageRecord* record, bool may_wait) noexcept;
  bool offer_plain(Mailbox& target, MessageRecord* record) noexcept;
  bool arrive_plain(const MessageRecord& slot) noexcept;
  Verdict offer_at_length(Mailbox& target, MessageRecord* record, bool may_wait) noexcept;
  Verdict deliver_elsewhere(Worker& home, Mailbox& target, Envelope& envelope) noexcept;
  void put(Mailbox& target, MessageRecord* record) noexcept;
  bool hand_to_reader(Mailbox& target, MessageRecord* record) noexcept;
  void hand_out(Mailbox& target, MessageRecord* record) noexcept;
  void hand_out_plain(Mailbox& target, MessageRecord* record) noexcept;
  void hand_plain_to(Reader& reader, Mailbox& target, MessageRecord* record) noexcept;
  void count_release(Mailbox& target) noexcept;
  void release_claim(Mailbox& target, MessageRecord& record) noexcept;
  void release_claims() noexcept;
  bool claim_place(Mailbox& target, std::uint32_t mode, Worker& home) noexcept;
  void return_prepaid() noexcept;
  void call_in_places(Mailbox& mailbox);
  void give_back_places(std::uint32_t places) noexcept;
  // Sends a record on to another worker, whatever the room: it waits here for the ring.
  void forward(Worker& to, MessageRecord* record) noexcept;
  void redirect(Mailbox& target, MessageRecord* record) noexcept;
  std::size_t bytes_limit(const Mailbox& target) const noexcept;

  // --- waiting messages (mailbox.cpp) ---
  Queue& queue_of(Mailbox& target);
  void store(Mailbox& target, MessageRecord* record) noexcept;
  void store_first(Mailbox& target, MessageRecord* record) noexcept;
  void count_in(Mailbox& target, const MessageRecord& record) noexcept;
  void count_bytes(Mailbox& target, const MessageRecord& record) noexcept;
  void count_out(Mailbox& target, const MessageRecord& record) noexcept;
  void put_in_mailbox(Mailbox& target, MessageRecord* record) noexcept;
  void left_mailbox(Mailbox& target, MessageRecord& record) noexcept;
  MessageRecord* take(Mailbox& target, const Match& match) noexcept;
  MessageRecord* take_plain(Mailbox& target) noexcept;
  void make_room(Mailbox& target, const MessageRecord& newcomer) noexcept;
  void set_mailbox(Mailbox& target, const MailboxOptions& options);

  // --- endings of messages (settling.cpp) ---
  void consume(MessageRecord* record) noexcept;
  bool consume_plain(MessageRecord* record) noexcept;
  void give_back(MessageRecord* record) noexcept;
  void return_later(MessageRecord* record) noexcept;
  void requeue_returned(Mailbox& target) noexcept;
  void end_record(MessageRecord* record, Outcome outcome,
                  DropReason reason = DropReason::oldest) noexcept;
  void bury(const MessageRecord& record, const char* reason) noexcept;
  void answer_for(const MessageRecord& request, Outcome outcome) noexcept;
  void report(const MessageRecord& record, Stage stage) noexcept;
  void report(const MessageRecord& record, Outcome outcome) noexcept;
  void expire(Mailbox& target) noexcept;
  void watch_expiry(Mailbox& target, const MessageRecord& record);

  // --- room (room.cpp) ---
  bool route_is_full(const Mailbox& target) noexcept;
  void await_room(Envelope& envelope, CreditWaiter& waiter);
  void forget(CreditWaiter& waiter) noexcept;
  void add_ticket(RoomTicket* ticket) noexcept;
  void grant_room(Mailbox& target, bool all = false) noexcept;
  bool grant_all_room() noexcept;
  void offer_ticket_to(Mailbox& target, const Match& match) noexcept;
  void return_ticket(RoomTicket* ticket) noexcept;
  void wake_route_waiters() noexcept;
  // All who wait for room at a mailbox try again, or are refused.
  void release_tickets(Mailbox& target) noexcept;

  // --- for the observer, if there is one (observing.cpp) ---
  bool is_observed() const noexcept { return observer_ != nullptr; }
  // Makes the observer number a message that it has not seen.
  void meet(MessageRecord& record) noexcept {
    if (is_observed()) [[unlikely]]
      introduce(record);
  }
  Sent try_send_observed(Mailbox& source, MessageRecord*& record, Errc& error);
  void observe(Happening what, const MessageRecord& record, std::uint64_t number = 0) noexcept {
    if (is_observed()) [[unlikely]]
      note(what, record, number);
  }
  void observe(Happening what, const Mailbox& whose, std::uint64_t number = 0,
               std::string_view text = {}) noexcept {
    if (is_observed()) [[unlikely]]
      note(what, 0, whose, number, text);
  }

  // --- requests (asking.cpp) ---
  std::uint64_t open_request(Asking& asking) { return requests_.open(asking, next_number()); }
  void close_request(std::uint64_t tag) noexcept;
  std::unordered_set<std::uint64_t> not_for_next_holder;  // requests that end with their agent
  void answer(MessageRecord* reply) noexcept;
  Asking* request(std::uint64_t tag) const noexcept { return requests_.find(tag); }
  // Returns a conversation that nobody on this node has, and no request.
  std::uint64_t new_conversation() noexcept;
  void fail_requests(Mailbox& asked, Errc error, const std::string& text,
                     const std::vector<std::uint64_t>& still_queued) noexcept;
  std::size_t open_requests() const noexcept { return requests_.count(); }
  bool gave_up_requests = false;  // some have ended without a reply

  // --- eavesdropping (overhearing.cpp) ---
  bool anybody_hears() const noexcept { return !eavesdroppers_.empty(); }
  const std::vector<std::uint64_t>& who_hears(const Mailbox& source, const MessageRecord& record);
  void add_tap(std::uint64_t id, Mailbox& eavesdropper, const Pattern& pattern, std::uint64_t told);
  void remove_tap(std::uint64_t id);
  void note_whether_plain() noexcept;
  RegisteredPatterns registered;  // for broadcasts
  // Sends copies of a message that goes to nobody to its eavesdroppers.
  void let_overhear(Mailbox& source, MessageRecord& record);
  void send_copies(const MessageRecord& original, const std::vector<std::uint64_t>& taps);
  void route_copy(MessageRecord* copy) noexcept;
  void deliver_copy(Mailbox& eavesdropper, MessageRecord* copy) noexcept;
  void miss(MessageRecord* copy) noexcept;
  void send_copy_away(Mailbox& eavesdropper, MessageRecord* copy) noexcept;
  void tell_gaps(Mailbox& eavesdropper) noexcept;
  MessageRecord* gap_marker(Mailbox& eavesdropper, std::uint64_t tap, std::uint64_t missed);
  void put_gap(Mailbox& eavesdropper, TapState& tap) noexcept;
  void copy_left_queue(Mailbox& eavesdropper, const MessageRecord& copy) noexcept;
  void send_pending_gaps() noexcept;

  // --- waiting in cycles (waiting_cycles.cpp) ---
  // Notes that the only task of `agent` waits for `whom`; false when that closes a cycle here.
  bool begin_wait(Agent& agent, Mailbox* whom, Sending& what) noexcept;
  bool begin_wait_at_length(Mailbox& mailbox, Mailbox* whom, Sending& what) noexcept;
  bool would_close_circle(const Mailbox& mailbox, const Mailbox* whom) noexcept;
  void end_wait(Agent& agent, const Sending& what) noexcept;
  void forget_wait(Mailbox& mailbox) noexcept;
  void send_probes();
  void probe_later(Mailbox& mailbox);
  void probe_again() noexcept;  // those that still wait
  void follow(struct Probe* probe) noexcept;
  // Returns the names of the cycle that a wait for `from` would close.
  std::string circle(const Mailbox& from, const Mailbox& closer) const;

  // --- incarnations of agents (lifecycle.cpp) ---
  // Registers a name and starts its agent on the worker that the spec names.
  Task<Address> make_agent(AgentSpec spec, std::unique_ptr<Agent> agent);
  void attach_at(Mailbox& mailbox, Worker& home,
                 const std::shared_ptr<std::unique_ptr<Agent>>& agent, const AgentSpec& spec,
                 Incarnation life, const class Signal& done);
  Worker& wanted_home(const AgentSpec& spec);
  void task_done(Agent& agent, const std::exception_ptr& error, bool is_main) noexcept;
  void revoke_hand(Mailbox& mailbox) noexcept;
  void drop_taps(Mailbox& mailbox) noexcept;
  static Task<> leave_directory(NodeCore& node, Ending ending, std::vector<LeaseId> to_tell);
  void attach(Mailbox& mailbox, std::unique_ptr<Agent> agent, const AgentSpec& spec,
              Incarnation life);
  void fence(Mailbox& mailbox) noexcept;
  void end_agent(Agent& agent, EndReason reason, const std::string& text) noexcept;
  void destroy(Agent& agent, EndReason reason) noexcept;

  // --- names that are held on other nodes (remote/outbound.cpp, name_owners.cpp) ---
  bool send_away_plain(Agent& sender, MessageRecord& record);
  void put_away(Mailbox& mailbox, MessageRecord* record) noexcept;
  void pump(Mailbox& mailbox) noexcept;
  void send_under_way(Mailbox& mailbox, struct RemoteSide& side, MessageRecord* record) noexcept;
  void unblock(Mailbox& mailbox) noexcept;
  void free_place(Mailbox& mailbox, struct UnderWay& message) noexcept;
  void on_report(Mailbox& mailbox, LeaseId from, std::uint8_t said, std::uint64_t first,
                 std::uint64_t count);
  void on_report(Mailbox& mailbox, RemoteSide& side, struct UnderWay& message, std::uint8_t said);
  std::uint64_t end_plain(Mailbox& mailbox, RemoteSide& side, LeaseId by,
                          std::uint64_t most) noexcept;
  void end_under_way(MessageRecord* record, Outcome outcome, DropReason reason) noexcept;
  void on_holder(Mailbox& mailbox, const struct Holder& holder);
  void on_holder_ended(Mailbox& mailbox, const Ending& ending);
  void on_holder_closed(Mailbox& mailbox, LeaseId from, const Ending& ending);
  void on_peer_gone(Mailbox& mailbox, LeaseId lease);
  void on_mailbox(Mailbox& mailbox, LeaseId from, const MailboxOptions& options);
  bool awaits_answers(Mailbox& mailbox, Incarnation life, std::function<void(Worker&)> begin);
  void look_again(Mailbox& mailbox);
  void part(Mailbox& mailbox);

  // --- messages from other nodes (remote/inbound.cpp) ---
  void report(const MessageRecord& record, Outcome outcome, DropReason reason);
  void report(const MessageRecord& record, ReportKind what);
  bool receive_simple(Mailbox& target, MessageRecord* record) noexcept;
  void take_in(Mailbox& target, MessageRecord* record) noexcept;
  void receive_foreign(Mailbox& target, MessageRecord* record) noexcept;
  void return_foreign(Mailbox& target, MessageRecord* record) noexcept;
  void turn_away(Mailbox& target, MessageRecord* record, Incarnation life) noexcept;
  std::vector<LeaseId> close(Mailbox& mailbox, Incarnation life) noexcept;  // the nodes to notify
  void revoke_name(Mailbox& mailbox) noexcept;
  void drop_foreign(Mailbox& mailbox) noexcept;
  void hand_over(Mailbox& mailbox) noexcept;
  void begin_again(Mailbox& mailbox);
  // --- room on other nodes (slot_requests.cpp) ---
  void slot_request(Mailbox& target, RoomTicket& ticket);
  void on_answer(Mailbox& target, LeaseId from, std::uint64_t number, std::uint8_t answer);
  void on_slot_request(Mailbox& target, RoomTicket* ticket);
  void on_slot_withdrawal(Mailbox& target, LeaseId from, std::uint64_t number);
  void answer_slot_request(RoomTicket* ticket) noexcept;
  void use_entry(Mailbox& target, MessageRecord& record);
  void forget_slot_requests(Mailbox& target, LeaseId from);

  // --- moving homes (relocation.cpp) ---
  bool may_move(Mailbox& mailbox) noexcept;
  bool move_out(Mailbox& mailbox, Worker& to) noexcept;
  void send_marker(Mailbox& mailbox, Worker& old_home) noexcept;
  void on_marker(Mailbox& mailbox, MessageRecord* marker) noexcept;
  bool hold_back(Mailbox& mailbox, MessageRecord* record, unsigned from) noexcept;
  void count_held(const MessageRecord& record, int change) noexcept;
  void balance() noexcept;
  // May be called from any thread. Returns whether the worker waits for something to do.
  bool is_resting() const noexcept { return resting_.load(std::memory_order_relaxed); }

  // --- the ledger (ledger.cpp) ---
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
  void introduce(MessageRecord& record) noexcept;
  void note(Happening what, const MessageRecord& record, std::uint64_t number) noexcept;
  void note(Happening what, std::uint64_t message, const Mailbox& whose, std::uint64_t number = 0,
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
  unsigned drained_from_;  // the worker whose ring is being drained; its own index if none is
  const std::size_t content_limit_;
  const std::size_t default_bytes_;
  const bool has_policy_;
  const bool encodes_;  // typed content, too, travels as bytes
  Observer* const observer_;
  const bool direct_;      // the transport only delivers
  bool plain_ = false;     // a send needs no checks: see note_whether_plain()
  const bool own_queues_;  // the society has queues of its own for mailboxes
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
  const bool outside_;  // it has events that no other worker announces
  std::thread thread_;
  Spinning spinning_;
  std::vector<std::deque<MessageRecord*>> backlog_;  // by worker: records without room in its ring
  std::vector<std::vector<RoomTicket*>> route_waiters_;
  Mailbox* releasing_ = nullptr;  // the mailbox whose slots are about to be given back
  std::uint32_t releases_ = 0;
  Mailbox* prepaid_for_ = nullptr;  // the mailbox whose slots were taken beforehand
  Worker* prepaid_home_ = nullptr;
  std::uint32_t prepaid_ = 0;
  std::vector<Mailbox*> crowded_;  // mailboxes where somebody waits for room
  std::vector<bool> dirty_;        // rings with something to publish
  static constexpr std::size_t cache_size = 1024;
  std::array<Mailbox*, cache_size> name_cache_{};
  Requests requests_;
  std::uint64_t next_number() noexcept;
  std::uint64_t conversations_ = 0;
  PatternIndex patterns_;
  std::unordered_map<std::uint64_t, Eavesdropper> eavesdroppers_;
  std::unordered_map<std::uint64_t, std::uint64_t> gaps_;  // by tap: copies missed on this side

  // The agents that lately received a message, each with its sender: idle ones can be moved.
  static constexpr std::size_t lately_size = 32;
  std::array<std::pair<Mailbox*, Mailbox*>, lately_size> lately_{};
  std::size_t lately_next_ = 0;
  unsigned saturated_ = 0;  // turns that left work for the next one, in a row
  std::atomic<bool> resting_{false};
  std::uint64_t held_back_ = 0, held_copies_ = 0;  // messages, and copies, of moving mailboxes
  bool tracks_ = false;
  std::vector<DeliveryReport> reports_;  // for other nodes; sent at the end of the turn
  std::vector<Mailbox*> blocked_;        // mailboxes whose wait has not been probed yet
  ProbeAgain probe_again_;
};

}  // namespace coracle::detail
