// The common parts of a node's workers: its settings, the table of names, the realization, and the
// components that concern all workers.
#pragma once

#include "coracle/node.hpp"
#include "coracle/receipt.hpp"
#include "coracle/support/signal.hpp"
#include "runtime/groups/late_joiners.hpp"
#include "runtime/inspection/notes.hpp"
#include "runtime/lease/node_lease.hpp"
#include "runtime/lease/node_numbers.hpp"
#include "runtime/mailbox/lease_mailboxes.hpp"
#include "runtime/mailbox/mailbox_table.hpp"
#include "runtime/operating/holds.hpp"
#include "runtime/remote/remote.hpp"
#include "runtime/stopping/living_agents.hpp"
#include "runtime/stopping/outside_calls.hpp"
#include "runtime/stopping/quiescence.hpp"
#include "runtime/stopping/standstill.hpp"
#include "runtime/stopping/stopping.hpp"
#include "runtime/turns/by_turns.hpp"
#include "runtime/turns/driven.hpp"
#include "runtime/worker/compute_pool.hpp"
#include "runtime/worker/worker.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace coracle::detail {

class NodeMetrics;

class NodeCore final : public Inbound {
 public:
  NodeCore(Node& node, Realization realization, NodeOptions options);
  ~NodeCore();

  Node& node() noexcept { return node_; }
  const Realization& realization() const noexcept { return realization_; }
  const NodeOptions& options() const noexcept { return options_; }
  Clock& clock() const noexcept { return *clock_; }
  Directory& directory() noexcept { return *realization_.directory; }
  Transport& transport() noexcept { return *realization_.transport; }
  // Keeps the messages that other nodes hand over; nullptr when this node is no message store.
  StoreBackend* backend() const noexcept { return realization_.backend.get(); }
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
  // The same for some of the table of names; returns whether there are more behind these.
  bool some_mailboxes(std::size_t from, std::size_t count,
                      const std::function<void(Mailbox&)>& show) {
    return mailboxes_.some(from, count, show);
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
  ComputePool& compute_pool() noexcept { return compute_pool_; }
  // Returns whether a driver runs the workers instead of threads.
  bool is_driven() const noexcept { return realization_.driver != nullptr; }
  // The node's part that its driver runs; nullptr when there is no driver.
  DrivenNode* driven() noexcept { return driven_.get(); }
  // The turns of a node without threads; nullptr when it has threads or a driver.
  ByTurns* by_turns() noexcept { return by_turns_.get(); }
  bool has_threads() const noexcept { return !is_driven() && by_turns_ == nullptr; }

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
  InspectionNotes& inspection_notes() noexcept { return inspection_notes_; }
  // The messages that operators hold in mailboxes of this node.
  Holds& holds() noexcept { return holds_; }
  // A message has ended: a message store need not keep it.
  void finished(const MessageRecord& record) noexcept {
    if (record.fields != nullptr && record.fields->kept != 0)
      remote_->store_server().finished(record);
  }

  // --- components that concern all workers ---
  // Begins to measure at the first call; from any thread.
  NodeMetrics& metrics();
  NodeLease& lease() noexcept { return lease_; }
  NodeNumbers& numbers() noexcept { return numbers_; }
  LivingAgents& agents() noexcept { return agents_; }
  OutsideCalls& calls() noexcept { return calls_; }
  Standstill& standstill() noexcept { return standstill_; }
  Quiescence& quiescence() noexcept { return quiescence_; }
  Stopping& stopping() noexcept { return stopping_; }

 private:
  // Opens the lease, and what needs it.
  Task<> open();

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
  InspectionNotes inspection_notes_;
  Holds holds_;
  std::unique_ptr<Remote> remote_;
  NodeLease lease_;
  std::once_flag metrics_begun_;
  std::unique_ptr<NodeMetrics> metrics_;
  NodeNumbers numbers_;
  LivingAgents agents_;
  OutsideCalls calls_;
  Standstill standstill_;
  Quiescence quiescence_;
  Stopping stopping_;
  std::unique_ptr<DrivenNode> driven_;
  std::unique_ptr<ByTurns> by_turns_;
};

inline std::uint64_t NodeNumbers::begin() const noexcept {
  return node_.remote() != nullptr ? node_.lease().id() * 0x9e3779b97f4a7c15U >> 32 : 0;
}

inline bool Worker::ended() const noexcept { return node_.stopping().ended(); }

// Returns the worker that runs on this thread. Throws Errc::wrong_thread on any other thread.
Worker& here(const Agent& agent);

}  // namespace coracle::detail
