#include "coracle/support/signal.hpp"

#include "runtime/node/node_core.hpp"

#include "coracle/support/here.hpp"
#include "worker.hpp"

#include <mutex>
#include <utility>

namespace coracle::detail {

bool is_on_worker() noexcept { return Worker::current() != nullptr; }

const NodeOptions& options_here() noexcept { return Worker::current()->node().options(); }

// The state that both sides share. While it sends the signal on its way, the thread that sets it
// holds the mutex: so the coroutine that waits cannot end before, and its node lives.
struct SignalState final : Command {
  void run(Worker& worker) override;

  // Sends the state to the worker of the coroutine that waits. Fails with Errc::stopped.
  void send(const std::shared_ptr<SignalState>& own);

  std::mutex mutex;  // guards what follows
  bool is_set = false;
  bool is_there = false;  // and what was posted to the worker before is done
  bool is_given_up = false;
  SignalWait* waiting = nullptr;
  Worker* home = nullptr;             // of the coroutine that waits
  OutsideCalls* call = nullptr;       // that is under way with it
  std::shared_ptr<SignalState> self;  // keeps the state alive on its way
};

namespace {

// Lets the workers of that node remain until leave(). Returns nullptr when that is not needed,
// because one of them runs this; fails with Errc::stopped.
OutsideCalls* enter_from_outside(NodeCore& node) {
  Worker* const here = Worker::current();
  if ((here != nullptr && &here->node() == &node) || node.driven() != nullptr) return nullptr;
  node.calls().enter();
  return &node.calls();
}

}  // namespace

Signal::Signal() : state_(std::make_shared<SignalState>()) {}

void SignalState::run(Worker& worker) {
  std::shared_ptr<SignalState> keep;
  OutsideCalls* entered = nullptr;
  {
    const std::lock_guard lock(mutex);
    keep = std::exchange(self, nullptr);
    entered = std::exchange(call, nullptr);
    is_there = true;
    if (SignalWait* const waiter = std::exchange(waiting, nullptr))
      worker.scheduler.schedule(*waiter);
  }
  if (entered != nullptr) entered->leave();
}

void SignalState::send(const std::shared_ptr<SignalState>& own) {
  call = enter_from_outside(home->node());
  self = own;
  home->post(*this);
}

bool Signal::set() const noexcept {
  SignalState& state = *state_;
  const std::lock_guard lock(state.mutex);
  if (std::exchange(state.is_set, true) || state.is_given_up) return false;
  if (state.waiting == nullptr) return true;
  try {
    state.send(state_);
  } catch (...) {
    return false;  // the node has stopped
  }
  return true;
}

bool Signal::is_open() const noexcept {
  const std::lock_guard lock(state_->mutex);
  return !state_->is_set && !state_->is_given_up;
}

SignalWait::SignalWait(const Signal& signal, Deadline deadline) noexcept
    : TimerNode(&on_time), state_(signal.state_), deadline_(deadline) {
  const std::lock_guard lock(state_->mutex);
  state_->is_given_up = false;
}

SignalWait::~SignalWait() {
  const std::lock_guard lock(state_->mutex);
  state_->is_given_up = true;
  if (state_->waiting == this) state_->waiting = nullptr;
}

bool SignalWait::await_ready() const noexcept {
  const std::lock_guard lock(state_->mutex);
  return state_->is_there;
}

void SignalWait::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  Worker& worker = *Worker::current();
  const std::lock_guard lock(state_->mutex);
  frame = awaiting;
  state_->waiting = this;
  state_->home = &worker;
  worker.scheduler.wait(*this);
  if (deadline_.is_set()) arm(worker, deadline_.at(worker.now()));
  if (state_->is_set && state_->self == nullptr) state_->send(state_);
}

void SignalWait::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<SignalWait&>(timer);
  self.late_ = true;
  self.owner->scheduler.schedule(self);
}

bool SignalWait::await_resume() const {
  if (await_ready()) return true;
  if (late_) return false;
  throw Error(Errc::stopped, "a wait ended early: the node is stopping; end");
}

}  // namespace coracle::detail
