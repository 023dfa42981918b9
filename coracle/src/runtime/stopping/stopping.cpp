#include "stopping.hpp"

#include "coracle/support/log.hpp"
#include "runtime/elsewhere/outbound.hpp"
#include "runtime/node/lifecycle.hpp"
#include "runtime/node/node_core.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace coracle::detail {

namespace {

constexpr Duration answers_patience = std::chrono::seconds(2);
constexpr Duration last_words = std::chrono::seconds(2);
constexpr Duration last_errands = std::chrono::seconds(1);
constexpr Duration last_turns = std::chrono::milliseconds(100);
// The time after a deadline at which stop() reports that not all has ended.
constexpr Duration report_grace = std::chrono::milliseconds(500);
constexpr Duration worth_a_line = std::chrono::seconds(5);
constexpr Duration look_again = std::chrono::milliseconds(10);
constexpr int told_to_end = 64;

}  // namespace

// A computation, or an agent that never waits, may not end in time. It holds up a thread of its
// own, and not the caller.
StopReport Stopping::stop(Deadline deadline) {
  if (node_.is_here()) {
    throw Error(Errc::wrong_thread, "an agent cannot stop its own node; end main's wait instead");
  }
  if (node_.by_turns() != nullptr && Worker::current() != nullptr) {
    throw Error(Errc::wrong_thread,
                "an agent cannot stop a node without threads, because it would run there; let the "
                "thread of that node's loop stop it");
  }
  const Time until = deadline.at(node_.clock().now());
  begin(until);
  const Time latest = until > Time::max() - report_grace ? until : until + report_grace;
  std::unique_lock lock(mutex_);
  while (!has_stopped_ && node_.clock().now() < latest)
    changed_.wait_for(lock, std::min<Duration>(latest - node_.clock().now(), look_again));
  if (has_stopped_) return report_;
  lock.unlock();
  return report_so_far();
}

void Stopping::stop_and_tell(Deadline deadline, WhenStopped tell) {
  const auto tell_how = [this, until = deadline.at(node_.clock().now()), tell = std::move(tell)] {
    StopReport report;
    std::exception_ptr error;
    try {
      report = stop(Deadline(until));
    } catch (...) {
      error = std::current_exception();
    }
    tell(std::move(error), std::move(report));
  };
  if (!node_.has_threads() || node_.is_here()) return tell_how();
  const std::lock_guard lock(mutex_);
  tellers_.emplace_back(tell_how);
}

void Stopping::begin(Time until) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(is_requested_, true)) return;
  }
  has_begun_.store(true);
  node_.holds().end_all();  // a held message is read as any other
  if (node_.driven()) return end_all(until);
  const auto end = [this, until] {
    try {
      end_all(until);
    } catch (const std::exception& error) {
      log_warning(std::string("a node could not stop in order: ") + error.what());
      end_workers();
      note_stopped();
    }
  };
  if (node_.by_turns() != nullptr) return end();
  try {
    thread_ = std::thread(end);
  } catch (const std::system_error&) {
    end();  // no threads are left, so the caller waits
  }
}

void Stopping::end_workers() noexcept {
  ended_.store(true);
  over_.store(true);
  for (const auto& worker : node_.workers()) worker->wake();
  for (const auto& worker : node_.workers()) worker->join();
  if (DrivenNode* const driven = node_.driven()) driven->finish();
  if (ByTurns* const turns = node_.by_turns()) turns->finish();
  node_.compute_pool().stop();
}

void Stopping::end_all(Time until) {
  end_in_order(until);
  end_workers();
  note_stopped();
}

void Stopping::note_stopped() {
  const std::lock_guard lock(mutex_);
  has_stopped_ = true;
  changed_.notify_all();
}

void Stopping::finish() {
  if (node_.by_turns() != nullptr && Worker::current() != nullptr) {
    // An agent of another node destroys this one.
    std::thread([this] { begin(node_.clock().now()); }).join();
    return;
  }
  begin(node_.clock().now());
  if (!node_.has_threads()) return;
  std::unique_lock lock(mutex_);
  const bool is_soon = changed_.wait_for(lock, worth_a_line, [this] { return has_stopped_; });
  lock.unlock();
  if (!is_soon) log_warning("a node that is destroyed waits for " + report_so_far().waits_for);
  if (thread_.joinable()) thread_.join();
  for (std::thread& teller : tellers_) teller.join();
}

void Stopping::end_in_order(Time until) {
  Quiescence& quiescence = node_.quiescence();
  const Clock& clock = node_.clock();
  // Other nodes get a moment to read what is theirs; afterwards they are responsible for it.
  quiescence.wait_for(Quiet::answered, std::min(until, clock.now() + answers_patience));
  quiescence.wait_for(Quiet::here, until);
  ended_.store(true);
  // An agent that then waits for something else, such as a reply, is notified again.
  for (int times = 0; times < told_to_end; ++times) {
    end_waits();
    quiescence.wait_for(Quiet::still, std::max(until, clock.now() + last_turns));
    if (node_.agents().count() == 0 || !quiescence.is_reached(Quiet::still)) break;
    quiescence.wait_for(Quiet::here, clock.now() + last_errands);
  }
  kill_the_rest();
  end_errands();
  leave_society();
  note_undelivered();
  report_.ledger = ledger_of(node_);
  node_.calls().close();
}

// The report when the deadline has passed and not all has ended.
StopReport Stopping::report_so_far() {
  StopReport report;
  std::string names;
  node_.mailboxes().each([&](Mailbox& mailbox) {
    if (!mailbox.is_present() || mailbox.name == Node::dead_letters()) return;
    report.still_alive.push_back(mailbox.name);
    names += (names.empty() ? "'" : ", '") + mailbox.name.str() + "'";
  });
  if (node_.compute_pool().busy() != 0) {
    report.waits_for = "a computation that has not ended (compute())";
  } else if (!names.empty()) {
    report.waits_for = "agents, one of which does not reach its next co_await: " + names;
  } else {
    report.waits_for = "other nodes, which have not read the last frames that were sent to them";
  }
  return report;
}

void Stopping::end_waits() {
  for (const auto& worker : node_.workers()) {
    node_.calls().run_blocking(*worker, [this, &worker]() -> Task<> {
      end_reads(*worker);
      worker->scheduler.end_waits();
      co_return;
    });
  }
}

// The node's own remaining work, such as giving up names, is done soon, or never.
void Stopping::end_errands() {
  Quiescence& quiescence = node_.quiescence();
  if (!quiescence.has_errands()) return;
  quiescence.wait_for(Quiet::here, node_.clock().now() + last_errands);
  if (!quiescence.has_errands()) return;
  end_waits();
  quiescence.wait_for(Quiet::here, node_.clock().now() + last_turns);
}

// Notifies the agents that wait for a message on that worker that the node stops.
void Stopping::end_reads(Worker& worker) {
  node_.mailboxes().each([&](Mailbox& mailbox) {
    if (mailbox.home.load() != &worker) return;
    while (mailbox.readers.linked()) {
      auto& reader = static_cast<Reader&>(*mailbox.readers.next);
      reader.error = Errc::stopped;
      worker.scheduler.schedule(reader);
    }
  });
}

// Destroys the agents that would not end, each on its own worker.
void Stopping::kill_the_rest() {
  for (const auto& worker : node_.workers()) {
    node_.calls().run_blocking(*worker, [this, &worker]() -> Task<> {
      std::vector<Agent*> left;
      node_.mailboxes().each([&](Mailbox& mailbox) {
        if (mailbox.home.load() != worker.get()) return;
        if (mailbox.agent != nullptr) left.push_back(mailbox.agent);
        if (!mailbox.extension) return;
        for (Agent* fenced : mailbox.extension->fenced) left.push_back(fenced);
      });
      for (Agent* agent : left) {
        report_.still_alive.push_back(Access::mailbox(*agent)->name);
        end_agent(*worker, *agent, EndReason::stopped, "the node was stopped");
      }
      co_return;
    });
  }
}

// Eavesdroppers on other nodes learn how many copies were beyond their rate.
void Stopping::tell_last_gaps() {
  for (const auto& worker : node_.workers()) {
    node_.calls().run_blocking(*worker, [&worker]() -> Task<> {
      worker->overhearing.send_rate_gaps();
      co_return;
    });
  }
}

// The society's other nodes and its message store become responsible for what they have.
void Stopping::leave_society() {
  if (node_.remote() != nullptr) {
    tell_last_gaps();
    give_up_what_is_elsewhere();
    hand_over();
    // Frames from a lease that has ended are ignored, so the last frames are awaited before.
    node_.quiescence().wait_for(Quiet::acknowledged, node_.clock().now() + last_words);
  }
  node_.calls().run_blocking(node_.worker(0), [this]() -> Task<> {
    (void)co_await node_.directory().close_lease(node_.lease().id(), EndReason::stopped);
    if (node_.remote() != nullptr) {
      Task<> end = node_.remote()->end();
      co_await end;
    }
  });
}

void Stopping::note_undelivered() {
  node_.standstill().while_all_pause([&] {
    node_.each_mailbox([&](Mailbox& mailbox) {
      const std::uint32_t waiting = mailbox.queued.load();
      if (waiting != 0 && mailbox.name != Node::dead_letters()) {
        const auto why = left_because_.find(&mailbox);
        report_.undelivered.push_back({mailbox.name, waiting});
        if (why != left_because_.end()) report_.undelivered.back().why = why->second;
      }
    });
  });
}

}  // namespace coracle::detail
