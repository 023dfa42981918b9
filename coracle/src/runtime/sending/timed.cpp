#include "coracle/timed.hpp"

#include "coracle/timer.hpp"
#include "fan_out.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/receipts/receipt_state.hpp"

#include <algorithm>

namespace coracle {

namespace detail {

// The state that the handle and the sending task share. Only the agent's worker touches it.
struct TimedState {
  bool is_pending = true;
  Timer* alarm = nullptr;  // of the task, while it waits for the time
  std::uint64_t sent = 0;
  std::uint64_t refused = 0;
  std::uint64_t skipped = 0;
  std::optional<Error> failure;
};

namespace {

// The alarm of a sending task; when the task is gone, the timed sending is over.
class Alarm {
 public:
  Alarm(Agent& agent, std::shared_ptr<TimedState> state)
      : state_(std::move(state)), timer_(agent) {}
  Alarm(const Alarm&) = delete;
  ~Alarm() {
    state_->alarm = nullptr;
    state_->is_pending = false;
  }

  // Waits until `when`. Returns false when the sending was cancelled, or the node stops.
  Task<bool> rings(Time when) {
    if (!state_->is_pending) co_return false;
    timer_.set(Deadline(when));
    state_->alarm = &timer_;
    const bool rang = co_await timer_.rung();
    state_->alarm = nullptr;
    co_return rang && state_->is_pending;
  }

 private:
  const std::shared_ptr<TimedState> state_;
  Timer timer_;
};

Task<> send_then(Agent& self, Post post, Time when, std::shared_ptr<TimedState> state) {
  Alarm alarm(self, state);
  const bool rang = co_await alarm.rings(when);
  if (!rang) co_return;
  state->is_pending = false;
  try {
    co_await self.send(std::move(post));
    ++state->sent;
  } catch (const Error& error) {
    ++state->refused;
    state->failure = error;
  }
}

// Sends a message to one target, and tracks its outcome.
Task<Result<void>> send_tracked(Agent& self, Address to, Content content, Time patience,
                                std::shared_ptr<ReceiptState> receipt) {
  receipt->home = &here(self);
  receipt->targets.push_back({to.name(), Stage::accepted, {}});
  std::vector<MessageRecord*> records = {AgentAccess::pack(self, to, std::move(content), 0)};
  fields_of(*records.front()).receipt = std::move(receipt);
  records.front()->fields->receipt_index = 0;
  auto sending = send_records(self, std::move(records), Deadline(patience));
  const std::vector<Result<void>> results = co_await sending;
  co_return results.front();
}

// Returns `when` plus `period`, or the latest time there is.
Time after(Time when, Duration period) { return Deadline(period).at(when); }

Task<> send_again(Agent& self, Address to, Content content, Time first, Duration period,
                  std::shared_ptr<TimedState> state) {
  Alarm alarm(self, state);
  std::shared_ptr<ReceiptState> last;
  for (Time due = first;; due = after(due, period)) {
    const bool rang = co_await alarm.rings(due);
    if (!rang) co_return;
    const auto missed = std::max<Duration>(self.now() - due, Duration::zero()) / period;
    due += missed * period;
    state->skipped += static_cast<std::uint64_t>(missed);
    if (last && !last->reached(Stage::consumed)) {
      ++state->skipped;
      continue;
    }
    last = std::make_shared<ReceiptState>();
    // The message may wait for room until the next one is due.
    const Result<void> sent = co_await send_tracked(self, to, content, after(due, period), last);
    if (sent) ++state->sent;
    else ++state->refused, state->failure = sent.error();
  }
}

}  // namespace

}  // namespace detail

TimedSend& TimedSend::operator=(TimedSend&& other) noexcept {
  if (this == &other) return *this;
  cancel();
  state_ = std::move(other.state_);
  return *this;
}

bool TimedSend::cancel() noexcept {
  if (!is_pending()) return false;
  state_->is_pending = false;
  if (state_->alarm != nullptr) state_->alarm->cancel();
  return true;
}

bool TimedSend::is_pending() const noexcept { return state_ && state_->is_pending; }
std::uint64_t TimedSend::sent() const noexcept { return state_ ? state_->sent : 0; }
std::uint64_t TimedSend::refused() const noexcept { return state_ ? state_->refused : 0; }
std::uint64_t TimedSend::skipped() const noexcept { return state_ ? state_->skipped : 0; }
std::optional<Error> TimedSend::failure() const { return state_ ? state_->failure : std::nullopt; }

TimedSend send_later(Agent& self, Post post, Deadline when) {
  auto state = std::make_shared<detail::TimedState>();
  if (when.is_set()) {
    self.spawn(detail::send_then(self, std::move(post), when.at(self.now()), state));
  }
  return TimedSend(std::move(state));
}

TimedSend send_every(Agent& self, Target to, Content content, Duration period) {
  if (period <= Duration::zero()) {
    throw Error(Errc::bad_options,
                "send_every() was given a period that is not positive; give at least a nanosecond");
  }
  const Address target = self.find(to);
  auto state = std::make_shared<detail::TimedState>();
  self.spawn(detail::send_again(self, target, std::move(content), detail::after(self.now(), period),
                                period, state));
  return TimedSend(std::move(state));
}

}  // namespace coracle
