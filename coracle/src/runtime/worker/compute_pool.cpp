#include "compute_pool.hpp"

#include "metrics/machine_sensors.hpp"
#include "runtime/node/node_core.hpp"

namespace coracle::detail {

namespace {

// Under a driver, a computation takes one to `durations` times the shortest duration.
constexpr std::size_t durations = 8;
constexpr Duration shortest = std::chrono::microseconds(125);

}  // namespace

// Shared by the computation's agent, the pool, and the command that reports the completion.
struct ComputePool::Ticket {
  ComputationBase* computation = nullptr;  // nullptr after it was abandoned
  Worker* home = nullptr;
  ComputePool* pool = nullptr;
  Time due{};  // when it is done, under a driver
  bool measured = false;
  Duration used{};  // the processor time that it has taken, if that is measured
  bool running = false;
  bool done = false;
  std::shared_ptr<Ticket> self;  // the agent's share of the ownership

  void perform() {
    const Duration before = measured ? thread_processor_time() : Duration::zero();
    computation->perform();
    if (measured) used = thread_processor_time() - before;
  }
  // Resumes the agent, unless it gave up.
  static void come_back(const Ticket& ticket, Worker& home) {
    if (ticket.computation == nullptr) return;
    const Mailbox& agent = *Access::mailbox(ticket.computation->agent());
    home.scheduler.run_times().add(&agent, ticket.used);
    home.observing.observe(Happening::computed, agent);
    home.scheduler.schedule(*ticket.computation);
  }
};

ComputePool::~ComputePool() { stop(); }

void ComputePool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

ComputePool::Ticket* ComputePool::submit(ComputationBase& computation, Worker& home) {
  auto ticket = std::make_shared<Ticket>();
  ticket->computation = &computation;
  ticket->home = &home;
  ticket->pool = this;
  ticket->self = ticket;
  ticket->measured = home.scheduler.run_times().is_on();
  const std::lock_guard lock(mutex_);
  if (DrivenNode* const driven = home.node().driven()) {
    const std::size_t steps = driven->driver().choose(Choice::duration, durations) + 1;
    ticket->due = home.now() + shortest * static_cast<int>(steps);
    waiting_.push_back(ticket);
    ++busy_;
    return ticket.get();
  }
  if (threads_.size() < limit_ && threads_.size() < waiting_.size() + busy_ + 1) {
    threads_.emplace_back([this] { work(); });
  }
  waiting_.push_back(ticket);
  ++busy_;
  changed_.notify_all();
  return ticket.get();
}

void ComputePool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::shared_ptr<Ticket> ticket = waiting_.front();
    waiting_.pop_front();
    if (ticket->computation != nullptr) {
      ticket->running = true;
      lock.unlock();
      ticket->perform();
      lock.lock();
      ticket->running = false;
      ticket->done = true;
      ticket->home->post(command([ticket](Worker& worker) { Ticket::come_back(*ticket, worker); }));
    }
    --busy_;
    changed_.notify_all();
  }
}

// As many threads as the limit would work at once: one of the first computations in the queue is
// done next.
Time ComputePool::due() const noexcept {
  Time next = Time::max();
  for (std::size_t index = 0; index < std::min<std::size_t>(limit_, waiting_.size()); ++index) {
    next = std::min(next, waiting_[index]->due);
  }
  return next;
}

void ComputePool::perform_one(Driver& driver) {
  const Time present = due();
  std::vector<std::size_t> ready;
  for (std::size_t index = 0; index < std::min<std::size_t>(limit_, waiting_.size()); ++index) {
    if (waiting_[index]->due <= present) ready.push_back(index);
  }
  const std::size_t which = ready.size() < 2 ? 0 : driver.choose(Choice::computation, ready.size());
  const auto place = waiting_.begin() + static_cast<std::ptrdiff_t>(ready[which]);
  const std::shared_ptr<Ticket> ticket = *place;
  waiting_.erase(place);
  --busy_;
  if (ticket->computation == nullptr) return;
  ticket->computation->perform();
  ticket->home->post(command([ticket](Worker& worker) { Ticket::come_back(*ticket, worker); }));
}

void ComputePool::abandon(Ticket* ticket) noexcept {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Ticket> keep = std::exchange(ticket->self, nullptr);
  changed_.wait(lock, [&] { return !keep->running; });
  keep->computation = nullptr;
}

std::size_t ComputePool::busy() const {
  const std::lock_guard lock(mutex_);
  return busy_;
}

void ComputationBase::await_suspend(std::coroutine_handle<> awaiting) {
  frame = awaiting;
  Worker& worker = here(agent_);
  worker.scheduler.compute(*this);
  worker.scheduler.runs(*Access::mailbox(agent_));
  ticket_ = worker.node().compute_pool().submit(*this, worker);
}

void ComputationBase::fail_stopped() {
  throw Error(Errc::stopped, "the computation was given up: the node is stopping; end");
}

void ComputationBase::detach() noexcept {
  if (ticket_ == nullptr) return;
  auto* const ticket = static_cast<ComputePool::Ticket*>(std::exchange(ticket_, nullptr));
  ticket->pool->abandon(ticket);
}

}  // namespace coracle::detail
