#include "standstill.hpp"

#include "runtime/node/node_core.hpp"

#include <thread>

namespace coracle::detail {

void Standstill::stand_still() noexcept {
  std::unique_lock lock(mutex_);
  if (!is_asked_.load()) return;
  ++paused_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !is_asked_.load(); });
  --paused_;
  changed_.notify_all();
}

void Standstill::while_all_pause(const std::function<void()>& look) {
  Worker* const self = Worker::current();
  if (node_.driven()) return look();  // the others stand between two turns anyway
  if (ByTurns* const turns = node_.by_turns()) return turns->between(look);
  const bool is_worker = node_.is_here();
  // Another thread may be waiting for this worker to stand still.
  while (!asking_.try_lock()) {
    if (is_worker) {
      pause_if_asked();
    } else {
      std::this_thread::yield();
    }
  }
  const std::size_t others = node_.worker_count() - (is_worker ? 1 : 0);
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return paused_ == 0; });
    is_asked_.store(true, std::memory_order_seq_cst);
    if (!node_.stopping().over()) {
      for (const auto& worker : node_.workers()) {
        if (worker.get() != self) worker->wake();
      }
      changed_.wait(lock, [&] { return paused_ == others; });
    }
    look();
    is_asked_.store(false, std::memory_order_seq_cst);
    changed_.notify_all();
  }
  asking_.unlock();
}

}  // namespace coracle::detail
