#include "quiescence.hpp"

#include "runtime/node/node_core.hpp"

#include <algorithm>
#include <chrono>

namespace coracle::detail {

namespace {

// Nobody announces what others have read meanwhile, so the node looks again, soon at first.
constexpr Duration first_look = std::chrono::microseconds(100);
constexpr Duration longest_look = std::chrono::milliseconds(10);

}  // namespace

void Quiescence::went_idle() noexcept {
  if (!is_awaited_.load(std::memory_order_seq_cst)) return;
  const std::lock_guard lock(mutex_);
  ++idle_events_;
  changed_.notify_all();
}

bool Quiescence::is_reached(Quiet how) {
  bool is_so = false;
  node_.standstill().while_all_pause([&] {
    // A renewal that is under way has had no reply: nothing else will have one soon.
    const bool is_left = how == Quiet::still || (how == Quiet::here && node_.lease().is_renewing());
    is_so = (!has_errands() || (is_left && !node_.calls().is_any())) &&
            node_.compute_pool().busy() == 0;
    for (const auto& worker : node_.workers()) is_so = is_so && worker->idle();
    const bool is_alone = node_.remote() == nullptr;
    if (is_so && !is_alone && how >= Quiet::acknowledged)
      is_so = node_.transport().all_acknowledged();
    if (is_so && !is_alone && how >= Quiet::answered) is_so = all_answered();
  });
  return is_so;
}

// Returns whether nothing is under way to another node, or waits to go there.
bool Quiescence::all_answered() {
  bool all = true;
  node_.each_mailbox([&all](const Mailbox& mailbox) {
    const RemoteSide* const side = mailbox.extension ? mailbox.extension->remote.get() : nullptr;
    if (side == nullptr || side->now.lease == 0) return;
    all = all && side->open == 0 && mailbox.queued.load() == 0;
  });
  return all;
}

void Quiescence::wait_for(Quiet how, Time deadline) {
  if (DrivenNode* const driven = node_.driven()) {
    const auto is_so = [this, how] { return is_reached(how); };
    driven->driver().run_until(is_so, deadline, "a quiet node");
    return;
  }
  is_awaited_.store(true, std::memory_order_seq_cst);
  for (Duration pause = first_look;; pause = std::min(2 * pause, longest_look)) {
    std::uint64_t seen = 0;
    {
      const std::lock_guard lock(mutex_);
      seen = idle_events_;
    }
    if (is_reached(how)) break;
    const Time present = node_.clock().now();
    if (present >= deadline) break;
    const Duration longest = std::min<Duration>(deadline - present, pause);
    if (ByTurns* const turns = node_.by_turns()) {
      turns->until([] { return false; }, present + longest);
      continue;
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, longest, [&] { return idle_events_ != seen; });
  }
  is_awaited_.store(false);
}

}  // namespace coracle::detail
