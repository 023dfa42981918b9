// Receipts: what a sender learns of the messages that it tracks.
#include "runtime/node_core.hpp"
#include "runtime/receipt_state.hpp"

#include <algorithm>

namespace coracle {

namespace detail {

// Somebody waits until a message has come so far.
struct ReceiptWait final : Waiting, TimerNode {
  ReceiptWait(ReceiptState& which, Stage until, Deadline at) noexcept
      : TimerNode(&on_time), state(which), stage(until), deadline(at) {}

  bool await_ready() const noexcept { return state.reached(stage).has_value(); }
  void await_suspend(std::coroutine_handle<> awaiting) noexcept {
    frame = awaiting;
    Worker& worker = *Worker::current();
    if (worker.node().ended()) return worker.schedule(*this);
    state.waits.push_back(*this);
    if (deadline.is_set()) arm(worker, deadline.at(worker.now()));
  }
  bool await_resume() const noexcept { return state.reached(stage).value_or(false); }

  static void on_time(TimerNode& node) noexcept {
    node.owner->schedule(static_cast<ReceiptWait&>(node));
  }

  ReceiptState& state;
  Stage stage;
  Deadline deadline;
};

void ReceiptState::update(std::uint32_t index, Stage stage) {
  TargetOutcome& target = targets[index];
  if (target.outcome || stage <= target.stage) return;
  target.stage = stage;
  changed();
}

void ReceiptState::update(std::uint32_t index, Outcome outcome) {
  TargetOutcome& target = targets[index];
  if (target.outcome) return;
  target.outcome = outcome;
  if (outcome == Outcome::consumed) target.stage = Stage::consumed;
  changed();
}

std::optional<bool> ReceiptState::reached(Stage stage) const {
  bool all = true;
  for (const TargetOutcome& target : targets) {
    if (target.stage >= stage) continue;
    if (!target.outcome) return std::nullopt;
    all = false;
  }
  return all;
}

void ReceiptState::changed() {
  Link* link = waits.next;
  while (link != &waits) {
    auto& wait = static_cast<ReceiptWait&>(*link);
    link = link->next;
    if (reached(wait.stage)) home->schedule(wait);
  }
}

namespace {

template <class What>
void tell(const Parcel& parcel, What what) noexcept {
  const Extras* extras = parcel.extras;
  if (extras == nullptr || !extras->receipt) return;
  Worker& home = *extras->receipt->home;
  home.touches(*parcel.source);
  if (&home == Worker::current()) return extras->receipt->update(extras->receipt_index, what);
  home.post(command([state = extras->receipt, index = extras->receipt_index, what](Worker&) {
    state->update(index, what);
  }));
}

}  // namespace

void Worker::report(const Parcel& parcel, Stage stage) noexcept { tell(parcel, stage); }

void Worker::report(const Parcel& parcel, Outcome outcome) noexcept { tell(parcel, outcome); }

}  // namespace detail

Task<bool> Receipt::reached(Stage stage, Deadline deadline) {
  const auto state = state_;  // outlives this object
  detail::ReceiptWait wait(*state, stage, deadline);
  co_return co_await wait;
}

const std::vector<TargetOutcome>& Receipt::targets() const noexcept { return state_->targets; }

}  // namespace coracle
