#include "scheduler.hpp"

#include "metrics/machine_sensors.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

constexpr int slice = 64;  // operations of one agent before others get their turn
constexpr int chain =
    8;  // coroutines that run before those that wait longer, each woken by the last
constexpr int starts_per_turn = 256;

}  // namespace

void Scheduler::begin(Agent& agent, std::coroutine_handle<> frame) {
  starting_.emplace_back(&agent, frame);
}

void Scheduler::cancel_begin(const Agent& agent) noexcept {
  std::erase_if(starting_, [&](const auto& start) { return start.first == &agent; });
}

void Scheduler::end_waits() noexcept {
  for (Link* const waits : {&waits_, &pauses_, &computations_})
    while (waits->linked()) schedule(static_cast<Waiting&>(*waits->next));
  timers_.ring_all();
  while (TimerNode* const timer = timers_.ring_next()) timer->fire(*timer);
}

bool Scheduler::run_ready() noexcept {
  bool did = false;
  if (run_times_.is_on()) run_times_.begin(TurnLength::present());
  while (ready_.linked() && !length_.is_over()) {
    did = true;
    auto& next = static_cast<Waiting&>(*ready_.next);
    next.unlink();
    budget_ = slice;
    length_.ran(run_chain(next));
  }
  // Agents that begin have a share of their own: others may keep each other busy for ever.
  for (int begun = 0; !starting_.empty() && begun < starts_per_turn; ++begun) {
    did = true;
    const std::coroutine_handle<> frame = starting_.front().second;
    starting_.pop_front();
    budget_ = slice;
    resume(frame);
  }
  return did;
}

// Runs a coroutine, and at once the one that it alone has woken by a message, and so on: what they
// need is still in the processor's cache. With many pairs, fetching it from memory is most of a
// message's cost. Returns the number that ran.
int Scheduler::run_chain(Waiting& first) noexcept {
  Waiting* next = &first;
  for (int ran = 1;; ++ran) {
    const Link* const last = ready_.prev;
    woken_ = nullptr;
    resume(next->frame);
    // The woken coroutine may be gone, until it is found to be the last of the list.
    next = woken_;
    const bool is_only_one = next != nullptr && ready_.prev == next && next->prev == last;
    if (!is_only_one || ran == chain || budget_ <= 0) return ran;
    next->unlink();
  }
}

// An agent is known when its coroutine waits: then it calls runs().
void Scheduler::resume_measured(std::coroutine_handle<> frame) {
  runs_ = nullptr;
  frame.resume();
  run_times_.ran(runs_, TurnLength::present(), &thread_processor_time);
}

bool Scheduler::run_timers(Time present) noexcept {
  bool did = false;
  while (TimerNode* due = timers_.take_due(present)) {
    due->fire(*due);
    did = true;
  }
  return did;
}

}  // namespace coracle::detail
