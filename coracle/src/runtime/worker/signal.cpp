#include "coracle/support/signal.hpp"

#include "runtime/node/node_core.hpp"

#include "coracle/support/here.hpp"
#include "worker.hpp"

#include <atomic>
#include <utility>

namespace coracle::detail {

bool is_on_worker() noexcept { return Worker::current() != nullptr; }

const NodeOptions& options_here() noexcept { return Worker::current()->node().options(); }

// The state that both sides share; only the home worker touches it, except on its way there.
struct SignalState final : Command {
  explicit SignalState(Worker& worker) : home(&worker) {}
  void run(Worker& worker) override;

  Worker* home;
  SignalWait* waiting = nullptr;
  bool done = false;
  std::atomic<bool> is_set{false};
  std::shared_ptr<SignalState> self;  // keeps the state alive on its way
};

namespace {

Worker& worker_of_signal() {
  if (Worker* const worker = Worker::current()) return *worker;
  throw Error(
      Errc::wrong_thread,
      "a signal for a coroutine was made outside an agent; make it in the agent that waits");
}

}  // namespace

Signal::Signal() : Signal(worker_of_signal()) {}

Signal::Signal(Worker& home) : state_(std::make_shared<SignalState>(home)) {}

void SignalState::run(Worker& worker) {
  const auto keep = std::exchange(self, nullptr);
  done = true;
  if (SignalWait* const waiter = std::exchange(waiting, nullptr))
    worker.scheduler.schedule(*waiter);
}

void Signal::set() const noexcept {
  if (state_->is_set.exchange(true, std::memory_order_acq_rel)) return;
  state_->self = state_;
  state_->home->post(*state_);
}

SignalWait::SignalWait(const Signal& signal, Deadline deadline) noexcept
    : TimerNode(&on_time), state_(signal.state_), deadline_(deadline) {}

SignalWait::~SignalWait() {
  if (state_->waiting == this) state_->waiting = nullptr;
}

bool SignalWait::await_ready() const noexcept { return state_->done; }

void SignalWait::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  frame = awaiting;
  Worker& worker = *state_->home;
  state_->waiting = this;
  worker.scheduler.wait(*this);
  if (deadline_.is_set()) arm(worker, deadline_.at(worker.now()));
}

void SignalWait::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<SignalWait&>(timer);
  self.late_ = true;
  self.owner->scheduler.schedule(self);
}

bool SignalWait::await_resume() const {
  if (state_->done) return true;
  if (late_) return false;
  throw Error(Errc::stopped, "a wait ended early: the node is stopping; end");
}

}  // namespace coracle::detail
