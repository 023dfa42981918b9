// What the workers of a node have in common: its settings, the table of names, the realization,
// and the means to stop everybody for a moment.
#pragma once

#include "coracle/node.hpp"
#include "coracle/receipt.hpp"
#include "runtime/compute_pool.hpp"
#include "runtime/driven.hpp"
#include "runtime/late_joiners.hpp"
#include "runtime/lease_parties.hpp"
#include "runtime/party_table.hpp"
#include "runtime/remote.hpp"
#include "runtime/signal.hpp"
#include "runtime/worker.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace coracle::detail {

inline constexpr Duration lease_term = std::chrono::seconds(30);

class NodeCore final : public Inbound {
 public:
  NodeCore(Node& node, Realization realization, NodeOptions options);
  ~NodeCore();

  Node& node() noexcept { return node_; }
  const NodeOptions& options() const noexcept { return options_; }
  Clock& clock() const noexcept { return *clock_; }
  Directory& directory() noexcept { return *realization_.directory; }
  Transport& transport() noexcept { return *realization_.transport; }
  const QueueFactory& queue_factory() const noexcept { return realization_.queue; }
  Observer* observer() const noexcept { return realization_.observer.get(); }
  // What other nodes hand over is kept there; nullptr when this node is no custodian.
  Custody* custody() const noexcept { return realization_.custody.get(); }
  // Whether what is sent here goes to the society's custodian first.
  bool entrusts() const noexcept { return realization_.entrusts; }
  Matching matching() const noexcept {
    return options_.matching == Matching::linear ? options_.matching : realization_.matching;
  }
  PartyTable& parties() noexcept { return parties_; }
  // Those that stand for their names at the custodian (entrusting.hpp).
  PartyTable& entrusting_parties() noexcept { return entrusting_; }
  // All of both.
  void each_party(const std::function<void(Party&)>& show) {
    parties_.each(show);
    entrusting_.each(show);
  }
  Worker& worker(std::size_t index) noexcept { return *workers_[index]; }
  std::size_t worker_count() const noexcept { return workers_.size(); }
  // Whether whoever calls is one of its workers.
  bool is_here() const noexcept {
    Worker* const worker = Worker::current();
    return worker != nullptr && &worker->node() == this;
  }
  ParcelRing& ring(const Worker& from, const Worker& to) noexcept {
    return *rings_[from.index() * workers_.size() + to.index()];
  }
  LeaseId lease() const noexcept { return lease_.load(std::memory_order_relaxed); }
  ComputePool& compute_pool() noexcept { return compute_pool_; }
  // Whether a driver runs the workers instead of threads.
  bool is_driven() const noexcept { return realization_.driver != nullptr; }
  // Whose driver that is; nullptr when there is none.
  DrivenNode* driven() noexcept { return driven_.get(); }
  bool renewal_is_due() const noexcept;
  // A number, not 0, that no other member foresees. A driver has the same ones in each run.
  std::uint64_t token() noexcept;

  // The one place that says yes or no.
  bool authorize(Action action, const Name& from, const Name& to) const noexcept {
    return !options_.policy || options_.policy->allows(options_.identity, action, from, to);
  }

  // --- Inbound ---
  Verdict deliver(Envelope& envelope) override;
  void give_up(Envelope&& envelope, Outcome outcome) noexcept override;
  void await_room(Envelope& envelope, CreditWaiter& waiter) override;
  void forget(CreditWaiter& waiter) noexcept override;

  // Finds or makes the party of a name; a new one lives on `home`.
  template <class Named>
  Party* party(const Named& name, Worker& home) {
    bool is_new = false;
    Party* const party = parties_.find_or_add(name, home, is_new);
    if (is_new && remote_) remote_->locate(*party);
    return party;
  }
  // What speaks with other nodes; nullptr when there are none.
  Remote* remote() noexcept { return remote_.get(); }
  // Who is about to join a group, and wants what was sent to it before.
  LateJoiners& late_joiners() noexcept { return late_joiners_; }
  LeaseParties& lease_parties() noexcept { return lease_parties_; }
  // A message has ended: a custodian need not keep it.
  void finished(const Parcel& parcel) noexcept {
    if (parcel.extras != nullptr && parcel.extras->kept != 0) remote_->finished(parcel);
  }
  // Keeps a copy of a message that cannot be delivered, for whoever reads the dead letters.
  void bury(Worker& worker, const Parcel& parcel, const char* reason) noexcept;

  void report_crash(const Name& name, const std::string& text) noexcept;
  // The mailbox of dead letters takes what comes, whether or not anybody reads it.
  void restore_dead_letters(Party& party) noexcept;
  void tell_requesters(Worker& worker, Party& ended, EndReason reason, const std::string& text,
                       const std::vector<std::uint64_t>& still_queued) noexcept;
  void schedule_renewal();
  void renew_lease(Worker& worker) noexcept;
  // Somebody says that the lease has ended: sees to it. From any thread.
  void renew_soon() noexcept;
  // The lease has ended although the node lives: it opens another and claims its names again. Until
  // these claims are decided, nobody loses a name because others seem to have it.
  void lose_lease() noexcept;
  bool is_registering() const noexcept { return registering_.load(); }
  // Has it do so, and waits a moment.
  Task<> registers_soon(Worker& at);

  // --- counting agents; stopping ---
  void agent_began() noexcept { agents_.fetch_add(1); }
  void agent_ended() noexcept;
  std::size_t agents() const noexcept { return agents_.load(); }
  bool stopping() const noexcept { return stopping_.load(std::memory_order_relaxed); }
  bool ended() const noexcept { return ended_.load(std::memory_order_relaxed); }
  // Until all have ended, or that is so; the other function is called by who makes it so. Throws
  // Errc::wrong_thread on a worker.
  void wait_for_agents(const std::atomic<bool>* is_enough = nullptr);
  void look_again_who_waits() noexcept;
  StopReport stop(Deadline deadline);
  // The same on a thread of its own, which says how it ended.
  using Told = std::function<void(std::exception_ptr, StopReport)>;
  void stop_and_tell(Deadline deadline, Told tell);

  // Runs `look` while every worker stands still between two turns.
  void while_all_pause(const std::function<void()>& look);
  // On a worker, between two turns: stands still if somebody asked for it.
  void pause_if_asked() noexcept {
    if (pause_asked_.load(std::memory_order_acquire)) stand_still();
  }
  bool pause_wanted() const noexcept { return pause_asked_.load(std::memory_order_seq_cst); }
  // Whether the workers' threads shall end.
  bool over() const noexcept { return over_.load(std::memory_order_acquire); }
  // A worker found nothing to do.
  void went_idle() noexcept;
  void count_detached(int change) noexcept;

  // Runs a coroutine on a worker and waits for it, from a thread that is not a worker.
  void run_blocking(Worker& worker, const std::function<Task<>()>& body);

  // Between these two, on which threads ever, the workers stay. Fails with Errc::stopped.
  void enter();
  void leave() noexcept;

  Ledger ledger();
  Ledger ledger_of(Party& party);
  // Unlike any other of the society, as far as chance allows.
  std::uint64_t next_ear() noexcept { return (ears_.fetch_add(1) + 1) ^ numbers_begin() << 24; }
  // Where this node's own numbers begin, so that those of two nodes differ.
  std::uint64_t numbers_begin() const noexcept {
    return remote_ ? lease() * 0x9e3779b97f4a7c15U >> 32 : 0;
  }

 private:
  struct Call;
  struct Renewal;

  // Begins to stop, unless that was done before.
  void begin_stop(Time until);
  void end_all(Time until);
  void end_in_order(Time until);
  void note_stopped();
  void stop_for_good();
  StopReport report_so_far();
  void end_workers() noexcept;

  void stand_still() noexcept;
  // How much has come to rest; each includes those before it.
  enum class Quiet : std::uint8_t {
    still,     // nobody on this node can go on, but for errands of the node itself
    here,      // and those are done, or its directory does not answer
    heard,     // and other nodes have heard all that was said to them
    answered,  // and have answered for all that they were sent
  };
  bool is_quiet(Quiet how);
  bool is_called();
  bool all_answered();
  void drain_until(Quiet how, Time deadline);
  Task<> open_lease();
  Task<> register_again(Worker& worker);
  Task<> claim_again(Worker& worker, Party& party);
  // All whose home that is.
  std::vector<Party*> parties_of(Worker& home);
  Task<> judge_names(Worker& worker);
  void end_reads(Worker& worker);
  void end_waits();
  void end_errands();
  void kill_the_rest();
  void hand_over();
  void add_up(Party& party, Ledger& sum);

  Node& node_;
  Realization realization_;
  NodeOptions options_;
  Clock* clock_;
  std::vector<std::unique_ptr<ParcelRing>> rings_;
  std::vector<std::unique_ptr<Worker>> workers_;
  PartyTable parties_, entrusting_;  // go before the workers: their timers are theirs
  ComputePool compute_pool_;
  std::atomic<LeaseId> lease_{0};
  LateJoiners late_joiners_;
  LeaseParties lease_parties_;
  std::unique_ptr<Remote> remote_;
  std::unique_ptr<Renewal> renewal_;
  bool renewing_ = false, renew_again_ = false;
  std::atomic<bool> registering_{false};
  std::unique_ptr<DrivenNode> driven_;

  std::atomic<std::uint64_t> tokens_{0};  // of a driver
  std::atomic<std::size_t> agents_{0};
  std::atomic<std::size_t> detached_{0};
  std::atomic<std::uint64_t> ears_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> ended_{false};
  std::atomic<bool> over_{false};
  std::atomic<bool> watched_{false};  // somebody waits for idle workers
  std::thread stopping_thread_;       // without a driver

  // Guards what follows; never held across anything but waiting for its conditions.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t idle_events_ = 0;
  std::size_t calls_ = 0;  // blocking ones, from other threads
  bool closed_ = false;    // to such calls
  bool is_begun_to_stop_ = false, has_stopped_ = false;
  std::vector<std::thread> tellers_;  // of that
  StopReport report_;  // of that
  std::map<const Party*, Errc> left_because_;  // of what is left there, as the custodian said

  // Only one thread at a time may ask for a pause.
  std::mutex pausing_;
  std::atomic<bool> pause_asked_{false};
  std::mutex pause_mutex_;  // guards paused_ and pause_round_
  std::condition_variable pause_changed_;
  std::size_t paused_ = 0;
};

inline bool Worker::ended() const noexcept { return node_.ended(); }

// The worker whose thread this is. Throws Errc::wrong_thread on any other thread.
Worker& here(const Agent& agent);

// Ends the agent that holds a name, from any thread; it is as if it had returned.
void end_agent_at(Party& party);

}  // namespace coracle::detail
