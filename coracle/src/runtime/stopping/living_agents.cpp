#include "living_agents.hpp"

#include "coracle/errors.hpp"
#include "runtime/node/node_core.hpp"

namespace coracle::detail {

void LivingAgents::ended() noexcept {
  if (count_.fetch_sub(1) == 1) look_again_who_waits();
}

void LivingAgents::wait_for_end(const std::atomic<bool>* is_enough) {
  if (node_.is_here())
    throw Error(Errc::wrong_thread,
                "an agent cannot wait for the agents of its own node, of which it is one; let the "
                "thread that made the node wait");
  const auto is_over = [&] {
    return count_.load() == 0 || (is_enough != nullptr && is_enough->load());
  };
  if (DrivenNode* const driven = node_.driven())
    return (void)driven->driver().run_until(is_over, Time::max(), "the end of all agents");
  if (ByTurns* const turns = node_.by_turns()) return (void)turns->until(is_over, Time::max());
  std::unique_lock lock(mutex_);
  changed_.wait(lock, is_over);
}

void LivingAgents::look_again_who_waits() noexcept {
  if (node_.by_turns() != nullptr) node_.worker(0).wake();
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

}  // namespace coracle::detail
