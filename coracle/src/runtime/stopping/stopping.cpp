// Stops the node.
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
// Nobody announces what others have read meanwhile, so the node looks again, soon at first.
constexpr Duration first_look = std::chrono::microseconds(100);
constexpr Duration look_again = std::chrono::milliseconds(10);
constexpr int told_to_end = 64;

}  // namespace

// Returns whether nothing is under way and nobody can continue without something from outside, or
// time.
bool NodeCore::is_quiet(Quiet how) {
  bool is_so = false;
  standstill_.while_all_pause([&] {
    // A renewal that is under way has had no reply: nothing else will have one soon.
    const bool is_left = how == Quiet::still || (how == Quiet::here && lease_.is_renewing());
    is_so = (detached_.load() == 0 || (is_left && !is_called())) && compute_pool_.busy() == 0;
    for (const auto& worker : workers_) is_so = is_so && worker->idle();
    if (is_so && remote_ && how >= Quiet::acknowledged) is_so = transport().all_acknowledged();
    if (is_so && remote_ && how >= Quiet::answered) is_so = all_answered();
  });
  return is_so;
}

// Returns whether a thread that is no worker waits for something here.
bool NodeCore::is_called() {
  const std::lock_guard lock(mutex_);
  return calls_ != 0;
}

// Returns whether nothing is under way to another node, or waits to go there.
bool NodeCore::all_answered() {
  bool all = true;
  each_mailbox([&all](const Mailbox& mailbox) {
    const RemoteSide* const side = mailbox.extension ? mailbox.extension->remote.get() : nullptr;
    if (side == nullptr || side->now.lease == 0) return;
    all = all && side->open == 0 && mailbox.queued.load() == 0;
  });
  return all;
}

void NodeCore::drain_until(Quiet how, Time deadline) {
  if (driven_) {
    const auto is_so = [this, how] { return is_quiet(how); };
    driven_->driver().run_until(is_so, deadline, "a quiet node");
    return;
  }
  watched_.store(true, std::memory_order_seq_cst);
  for (Duration pause = first_look;; pause = std::min(2 * pause, look_again)) {
    std::uint64_t seen = 0;
    {
      const std::lock_guard lock(mutex_);
      seen = idle_events_;
    }
    if (is_quiet(how)) break;
    const Time present = clock_->now();
    if (present >= deadline) break;
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::min<Duration>(deadline - present, pause),
                      [&] { return idle_events_ != seen; });
  }
  watched_.store(false);
}

// A computation, or an agent that never waits, may not end in time. It holds up a thread of its
// own, and not the caller.
StopReport NodeCore::stop(Deadline deadline) {
  if (is_here()) {
    throw Error(Errc::wrong_thread, "an agent cannot stop its own node; end main's wait instead");
  }
  const Time until = deadline.at(clock_->now());
  begin_stop(until);
  const Time latest = until > Time::max() - report_grace ? until : until + report_grace;
  std::unique_lock lock(mutex_);
  while (!has_stopped_ && clock_->now() < latest)
    changed_.wait_for(lock, std::min<Duration>(latest - clock_->now(), look_again));
  if (has_stopped_) return report_;
  lock.unlock();
  return report_so_far();
}

void NodeCore::stop_and_tell(Deadline deadline, WhenStopped tell) {
  const auto tell_how = [this, until = deadline.at(clock_->now()), tell = std::move(tell)] {
    StopReport report;
    std::exception_ptr error;
    try {
      report = stop(Deadline(until));
    } catch (...) {
      error = std::current_exception();
    }
    tell(std::move(error), std::move(report));
  };
  if (driven_ || is_here()) return tell_how();
  const std::lock_guard lock(mutex_);
  tellers_.emplace_back(tell_how);
}

void NodeCore::begin_stop(Time until) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(is_begun_to_stop_, true)) return;
  }
  stopping_.store(true);
  if (driven_) return end_all(until);
  const auto end = [this, until] {
    try {
      end_all(until);
    } catch (const std::exception& error) {
      log_warning(std::string("a node could not stop in order: ") + error.what());
      end_workers();
      note_stopped();
    }
  };
  try {
    stopping_thread_ = std::thread(end);
  } catch (const std::system_error&) {
    end();  // no threads are left, so the caller waits
  }
}

void NodeCore::end_all(Time until) {
  end_in_order(until);
  end_workers();
  note_stopped();
}

void NodeCore::note_stopped() {
  const std::lock_guard lock(mutex_);
  has_stopped_ = true;
  changed_.notify_all();
}

// Waits however long the stop takes.
void NodeCore::stop_for_good() {
  begin_stop(clock_->now());
  if (driven_) return;
  std::unique_lock lock(mutex_);
  const bool is_soon = changed_.wait_for(lock, worth_a_line, [this] { return has_stopped_; });
  lock.unlock();
  if (!is_soon) log_warning("a node that is destroyed waits for " + report_so_far().waits_for);
  if (stopping_thread_.joinable()) stopping_thread_.join();
}

void NodeCore::end_in_order(Time until) {
  // Other nodes get a moment to read what is theirs; afterwards they are responsible for it.
  drain_until(Quiet::answered, std::min(until, clock_->now() + answers_patience));
  drain_until(Quiet::here, until);
  ended_.store(true);
  // An agent that then waits for something else, such as a reply, is notified again.
  for (int times = 0; times < told_to_end; ++times) {
    end_waits();
    drain_until(Quiet::still, std::max(until, clock_->now() + last_turns));
    if (agents_.load() == 0 || !is_quiet(Quiet::still)) break;
    drain_until(Quiet::here, clock_->now() + last_errands);
  }
  kill_the_rest();
  report_.ledger = ledger();
  {
    std::unique_lock lock(mutex_);
    closed_ = true;
    changed_.wait(lock, [this] { return calls_ == 0; });
  }
}

// The report when the deadline has passed and not all has ended.
StopReport NodeCore::report_so_far() {
  StopReport report;
  std::string names;
  mailboxes_.each([&](Mailbox& mailbox) {
    if (!mailbox.is_present() || mailbox.name == Node::dead_letters()) return;
    report.still_alive.push_back(mailbox.name);
    names += (names.empty() ? "'" : ", '") + mailbox.name.str() + "'";
  });
  if (compute_pool_.busy() != 0) {
    report.waits_for = "a computation that has not ended (compute())";
  } else if (!names.empty()) {
    report.waits_for = "agents, one of which does not reach its next co_await: " + names;
  } else {
    report.waits_for = "other nodes, which have not read the last frames that were sent to them";
  }
  return report;
}

void NodeCore::end_waits() {
  for (const auto& worker : workers_) {
    run_blocking(*worker, [this, &worker]() -> Task<> {
      end_reads(*worker);
      worker->scheduler.end_waits();
      co_return;
    });
  }
}

// The node's own remaining work, such as giving up names, is done soon, or never.
void NodeCore::end_errands() {
  if (detached_.load() == 0) return;
  drain_until(Quiet::here, clock_->now() + last_errands);
  if (detached_.load() == 0) return;
  end_waits();
  drain_until(Quiet::here, clock_->now() + last_turns);
}

// Notifies the agents that wait for a message on that worker that the node stops.
void NodeCore::end_reads(Worker& worker) {
  mailboxes_.each([&](Mailbox& mailbox) {
    if (mailbox.home.load() != &worker) return;
    while (mailbox.readers.linked()) {
      auto& reader = static_cast<Reader&>(*mailbox.readers.next);
      reader.error = Errc::stopped;
      worker.scheduler.schedule(reader);
    }
  });
}

// Destroys the agents that would not end, each on its own worker; then notes what was left.
void NodeCore::kill_the_rest() {
  for (const auto& worker : workers_) {
    run_blocking(*worker, [this, &worker]() -> Task<> {
      std::vector<Agent*> left;
      mailboxes_.each([&](Mailbox& mailbox) {
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
  end_errands();
  if (remote_) {
    give_up_what_is_elsewhere();
    hand_over();
    // Frames from a lease that has ended are ignored, so the last frames are awaited before.
    drain_until(Quiet::acknowledged, clock_->now() + last_words);
  }
  run_blocking(*workers_[0], [this]() -> Task<> {
    (void)co_await directory().close_lease(lease_.id(), EndReason::stopped);
    if (remote_) {
      Task<> end = remote_->end();
      co_await end;
    }
  });
  standstill_.while_all_pause([&] {
    each_mailbox([&](Mailbox& mailbox) {
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
