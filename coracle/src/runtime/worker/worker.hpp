// One thread's share of a node: it runs the agents whose home it is. Workers share nothing; they
// exchange envelopes by rings, and commands by inboxes. Only this thread calls, unless stated.
// The state of a worker is in its components; functions that need none of their own take the
// worker as their first argument.
#pragma once

#include "command.hpp"
#include "coracle/driver.hpp"
#include "coracle/reactor.hpp"
#include "coracle/support/spinning.hpp"
#include "coracle/task.hpp"
#include "exchange.hpp"
#include "inbox.hpp"
#include "parking.hpp"
#include "runtime/groups/overhearing.hpp"
#include "runtime/inspection/failures.hpp"
#include "runtime/inspection/seen_waits.hpp"
#include "runtime/inspection/timeline.hpp"
#include "runtime/mailbox/local_mailboxes.hpp"
#include "runtime/mailbox/waiting_cycles.hpp"
#include "runtime/node/observing.hpp"
#include "runtime/node/relocation.hpp"
#include "runtime/remote/pending_reports.hpp"
#include "runtime/room/room.hpp"
#include "runtime/room/taken_slots.hpp"
#include "runtime/sending/flow.hpp"
#include "runtime/sending/outgoing.hpp"
#include "runtime/sending/requests.hpp"
#include "scheduler.hpp"

#include <functional>
#include <memory>
#include <thread>

namespace coracle::detail {

class DescriptorReactor;

[[gnu::tls_model("initial-exec")]] extern constinit thread_local Worker* current_worker;
unsigned* uncaught_exceptions_of_this_thread() noexcept;

class Worker {
 public:
  // The reactor may be nullptr under a driver.
  Worker(NodeCore& node, unsigned index, std::shared_ptr<Reactor> reactor);
  ~Worker();

  NodeCore& node() noexcept { return node_; }
  unsigned index() const noexcept { return index_; }
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
  bool idle() noexcept;
  // Sends the delivery reports, and shows the other workers what was sent to them.
  void publish() noexcept;

  // --- without a thread (by_turns.cpp, driven.cpp) ---
  // Takes turns until the worker rests; returns whether it does not, because it had its share.
  bool take_turns(DescriptorReactor& reactor) noexcept;
  // Does what was asked for before, then `act`, then takes turns. Returns false, without `act`, if
  // there is too much to do before. If it defers, the next turn sends to other nodes what `act` has
  // sent there, so that many acts need one system call.
  bool act_at_once(DescriptorReactor& reactor, const std::function<void(Worker&)>& act,
                   bool defers) noexcept;
  void turn_by(Driver& driver);
  // Notifies the driver, if there is one, of what is touched (driver.hpp).
  void touches(const Mailbox& mailbox) noexcept;
  void touches_all() noexcept;
  void rests(const Mailbox& mailbox) noexcept;
  bool has_work(Time present) noexcept;

 private:
  NodeCore& node_;
  const unsigned index_;

 public:
  Scheduler scheduler;  // owns the timers, so it outlives the other components
  Exchange exchange;
  LocalMailboxes mailboxes;
  TakenSlots slots;
  Outgoing outgoing;
  Observing observing;
  PendingReports reports;
  Requests requests;
  Relocation relocation;
  Room room;
  WaitingCycles cycles;
  Overhearing overhearing;
  Flow flow;
  Link dispatches;  // sends that wait for room
  Timeline lives;   // the counters of the incarnations that began here
  SeenWaits seen_waits;
  Failures failures;
  std::uint32_t last_life = 0;        // the counter of the last incarnation that began here
  bool unwinding_ends_agent = false;  // frames are being destroyed because their agent ended

 private:
  void loop();
  // A turn without the events from outside.
  bool turn_inside();
  bool run_commands(Command* commands);
  // Notes the present time for inspections: what begins in this turn begins then.
  void note_time(Time present);
  bool something_to_do() noexcept;
  bool must_stay() noexcept;
  void before_rest() noexcept;
  void get_up(DescriptorReactor& reactor) noexcept;
  bool work_until_rest(DescriptorReactor& reactor) noexcept;
  bool rest_at(DescriptorReactor& reactor) noexcept;
  bool spin(Time began, Time alarm);
  void spin_or_park();

  const unsigned* uncaught_ = nullptr;
  unsigned ticks_ = 0;
  bool has_worked_ = false;  // since it went idle
  bool is_new_tick_ = false;
  bool is_asleep_ = false;   // between take_turns() and the next
  bool defers_ = false;      // the next take_turns() sends out what was sent in place
  Inbox<Command> inbox_;
  Parking<> parking_;
  std::shared_ptr<Reactor> reactor_;
  const bool outside_;  // it has events that no other worker announces
  std::thread thread_;
  Spinning spinning_;
};

// Runs a task of the library's own.
void run_detached(Worker& at, Task<> task);

}  // namespace coracle::detail
