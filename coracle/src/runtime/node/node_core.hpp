// The common parts of a node's workers: its settings, the table of names, the realization, and the
// components that concern all workers.
#pragma once

#include "coracle/node.hpp"
#include "coracle/receipt.hpp"
#include "coracle/support/signal.hpp"
#include "runtime/groups/late_joiners.hpp"
#include "runtime/lease/node_lease.hpp"
#include "runtime/mailbox/lease_mailboxes.hpp"
#include "runtime/mailbox/mailbox_table.hpp"
#include "runtime/remote/remote.hpp"
#include "runtime/stopping/living_agents.hpp"
#include "runtime/stopping/outside_calls.hpp"
#include "runtime/stopping/quiescence.hpp"
#include "runtime/stopping/standstill.hpp"
#include "runtime/stopping/stopping.hpp"
#include "runtime/worker/compute_pool.hpp"
#include "runtime/worker/driven.hpp"
#include "runtime/worker/worker.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace coracle::detail {

class NodeCore final : public Inbound {
 public:
  NodeCore(Node& node, Realization realization, NodeOptions options);
  ~NodeCore();

  Node& node() noexcept { return node_; }
  const NodeOptions& options() const noexcept { return options_; }
  Clock& clock() const noexcept { return *clock_; }
  Directory& directory() noexcept { return *realization_.directory; }
  Transport& transport() noexcept { return *realization_.transport; }
  // Where the first worker waits; nullptr when the transport waits for nothing.
  const std::shared_ptr<Reactor>& reactor() const noexcept { return realization_.reactor; }
  const QueueFactory& queue_factory() const noexcept { return realization_.queue; }
  Observer* observer() const noexcept { return realization_.observer.get(); }
  // Keeps the messages that other nodes hand over; nullptr when this node is no message store.
  StoreBackend* backend() const noexcept { return realization_.backend.get(); }
  // Returns whether messages that are sent here go to the society's message store first.
  bool stores() const noexcept { return realization_.stores; }
  Matching matching() const noexcept {
    return options_.matching == Matching::linear ? options_.matching : realization_.matching;
  }
  MailboxTable& mailboxes() noexcept { return mailboxes_; }
  // The mailboxes that stand for their names at the message store (storing.hpp).
  MailboxTable& storing_mailboxes() noexcept { return storing_; }
  // Calls `show` for all mailboxes of both tables.
  void each_mailbox(const std::function<void(Mailbox&)>& show) {
    mailboxes_.each(show);
    storing_.each(show);
  }
  const std::vector<std::unique_ptr<Worker>>& workers() const noexcept { return workers_; }
  Worker& worker(std::size_t index) noexcept { return *workers_[index]; }
  std::size_t worker_count() const noexcept { return workers_.size(); }
  // Returns whether the calling thread is one of the node's workers.
  bool is_here() const noexcept {
    Worker* const worker = Worker::current();
    return worker != nullptr && &worker->node() == this;
  }
  RecordRing& ring(const Worker& from, const Worker& to) noexcept {
    return *rings_[from.index() * workers_.size() + to.index()];
  }
  // The lease under which the node holds its names.
  NodeLease& lease() noexcept { return lease_; }
  ComputePool& compute_pool() noexcept { return compute_pool_; }
  // Returns whether a driver runs the workers instead of threads.
  bool is_driven() const noexcept { return realization_.driver != nullptr; }
  // The node's part that its driver runs; nullptr when there is no driver.
  DrivenNode* driven() noexcept { return driven_.get(); }
  // Returns a number, not 0, that no other member can predict. Under a driver, the numbers are the
  // same in each run.
  std::uint64_t token() noexcept;

  // The only place that decides what the policy permits.
  bool authorize(Action action, const Name& from, const Name& to) const noexcept {
    return !options_.policy || options_.policy->allows(options_.identity, action, from, to);
  }

  // --- Inbound ---
  Verdict deliver(Envelope& envelope) override;
  void give_up(Envelope&& envelope, Outcome outcome) noexcept override;
  void await_room(Envelope& envelope, CreditWaiter& waiter) override;
  void forget(CreditWaiter& waiter) noexcept override;

  // Finds or makes the mailbox of a name; the home of a new one is `home`.
  template <class Named>
  Mailbox* mailbox(const Named& name, Worker& home) {
    bool is_new = false;
    Mailbox* const mailbox = mailboxes_.find_or_add(name, home, is_new);
    if (is_new && remote_) remote_->locate(*mailbox);
    return mailbox;
  }
  // Exchanges frames with other nodes; nullptr when there are none.
  Remote* remote() noexcept { return remote_.get(); }
  // The agents that are about to join a group and want the messages that were sent to it before.
  LateJoiners& late_joiners() noexcept { return late_joiners_; }
  LeaseMailboxes& lease_mailboxes() noexcept { return lease_mailboxes_; }
  // A message has ended: a message store need not keep it.
  void finished(const MessageRecord& record) noexcept {
    if (record.fields != nullptr && record.fields->kept != 0)
      remote_->store_server().finished(record);
  }
  // Keeps a copy of a message, but not of another record, that cannot be delivered, for the reader
  // of the dead letters.
  void bury(Worker& worker, const MessageRecord& record, const char* reason) noexcept;

  void report_crash(const Name& name, const std::string& text) noexcept;
  // The mailbox of dead letters takes all that comes, whether or not an agent reads it.
  void restore_dead_letters(Mailbox& mailbox) noexcept;
  void tell_requesters(Worker& worker, Mailbox& ended, EndReason reason, const std::string& text,
                       const std::vector<std::uint64_t>& still_queued) noexcept;

  // --- components that concern all workers ---
  Standstill& standstill() noexcept { return standstill_; }
  Quiescence& quiescence() noexcept { return quiescence_; }
  LivingAgents& agents() noexcept { return agents_; }
  OutsideCalls& calls() noexcept { return calls_; }
  Stopping& stopping() noexcept { return stopping_; }

  Ledger ledger();
  Ledger ledger_of(Mailbox& mailbox);
  // Returns a number unlike any other of the society, as far as chance allows.
  std::uint64_t next_tap() noexcept { return (taps_.fetch_add(1) + 1) ^ numbers_begin() << 24; }
  // The start of this node's own numbers, so that those of two nodes differ.
  std::uint64_t numbers_begin() const noexcept {
    return remote_ ? lease_.id() * 0x9e3779b97f4a7c15U >> 32 : 0;
  }

 private:
  // Opens the lease, and what needs it.
  Task<> open();
  void add_up(Mailbox& mailbox, Ledger& sum);

  Node& node_;
  Realization realization_;
  NodeOptions options_;
  Clock* clock_;
  std::vector<std::unique_ptr<RecordRing>> rings_;
  std::vector<std::unique_ptr<Worker>> workers_;
  MailboxTable mailboxes_, storing_;  // destroyed before the workers, which own their timers
  ComputePool compute_pool_;
  LateJoiners late_joiners_;
  LeaseMailboxes lease_mailboxes_;
  std::unique_ptr<Remote> remote_;
  NodeLease lease_;
  LivingAgents agents_;
  OutsideCalls calls_;
  Standstill standstill_;
  Quiescence quiescence_;
  Stopping stopping_;
  std::unique_ptr<DrivenNode> driven_;

  std::atomic<std::uint64_t> tokens_{0};  // of token()
  std::atomic<std::uint64_t> taps_{0};
};

inline bool Worker::ended() const noexcept { return node_.stopping().ended(); }

// Returns the worker that runs on this thread. Throws Errc::wrong_thread on any other thread.
Worker& here(const Agent& agent);

}  // namespace coracle::detail
