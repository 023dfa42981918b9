#include "runtime/compute_pool.hpp"

#include "runtime/node_core.hpp"

namespace coracle::detail {

// Shared by the computation's agent, the pool, and the message that says it is done.
struct ComputePool::Ticket {
  ComputationBase* computation = nullptr;  // none once it was abandoned
  Worker* home = nullptr;
  ComputePool* pool = nullptr;
  bool running = false;
  bool done = false;
  std::shared_ptr<Ticket> self;  // the agent's share
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
  const std::lock_guard lock(mutex_);
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
      ticket->computation->perform();
      lock.lock();
      ticket->running = false;
      ticket->done = true;
      ticket->home->post(command([ticket](Worker& worker) {
        if (ticket->computation != nullptr) worker.schedule(*ticket->computation);
      }));
    }
    --busy_;
    changed_.notify_all();
  }
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
  worker.wait(*this);
  ticket_ = worker.node().compute_pool().submit(*this, worker);
}

void ComputationBase::detach() noexcept {
  if (ticket_ == nullptr) return;
  auto* const ticket = static_cast<ComputePool::Ticket*>(std::exchange(ticket_, nullptr));
  ticket->pool->abandon(ticket);
}

}  // namespace coracle::detail
