// Receipts: how a sender learns the outcomes of the messages that it tracks.
#include "receipt_state.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/store/storing.hpp"

#include <algorithm>

namespace coracle {

namespace detail {

// A coroutine waits until a message has reached a stage.
struct ReceiptWait final : Waiting, TimerNode {
  ReceiptWait(ReceiptState& which, Stage until, Deadline at) noexcept
      : TimerNode(&on_time), state(which), stage(until), deadline(at) {}

  bool await_ready() const noexcept { return state.reached(stage).has_value(); }
  void await_suspend(std::coroutine_handle<> awaiting) noexcept {
    frame = awaiting;
    Worker& worker = *Worker::current();
    if (worker.ended()) return worker.scheduler.schedule(*this);
    state.waits.push_back(*this);
    if (deadline.is_set()) arm(worker, deadline.at(worker.now()));
  }
  bool await_resume() const noexcept { return state.reached(stage).value_or(false); }

  static void on_time(TimerNode& node) noexcept {
    node.owner->scheduler.schedule(static_cast<ReceiptWait&>(node));
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

void ReceiptState::update(std::uint32_t index, Outcome outcome, DropReason) {
  TargetOutcome& target = targets[index];
  if (target.outcome) return;
  target.outcome = outcome;
  if (outcome == Outcome::consumed) target.stage = Stage::consumed;
  changed();
}

void ReceiptState::lose_sight(std::uint32_t index) {
  out_of_sight.resize(targets.size());
  out_of_sight[index] = true;
  changed();
}

std::optional<bool> ReceiptState::reached(Stage stage) const {
  bool all = true;
  for (std::size_t index = 0; index < targets.size(); ++index) {
    const TargetOutcome& target = targets[index];
    if (target.stage >= stage) continue;
    const bool is_over = target.outcome || (!out_of_sight.empty() && out_of_sight[index]);
    if (!is_over) return std::nullopt;
    all = false;
  }
  return all;
}

void ReceiptState::changed() {
  Link* link = waits.next;
  while (link != &waits) {
    auto& wait = static_cast<ReceiptWait&>(*link);
    link = link->next;
    if (reached(wait.stage)) home->scheduler.schedule(wait);
  }
}

namespace {

// Runs `act` with the record's receipt, if it has one, on the receipt's worker.
template <class Act>
void tell(const MessageRecord& record, Act act) noexcept {
  const OptionalFields* fields = record.fields;
  if (fields == nullptr || !fields->receipt) return;
  Worker& home = *fields->receipt->home;
  home.touches(*record.source);
  if (&home == Worker::current()) return act(*fields->receipt, fields->receipt_index);
  home.post(command([state = fields->receipt, index = fields->receipt_index, act](Worker&) {
    act(*state, index);
  }));
}

}  // namespace

void tell_receipt(const MessageRecord& record, Stage stage) noexcept {
  tell(record, [stage](ReceiptState& state, std::uint32_t index) { state.update(index, stage); });
}

void tell_receipt(const MessageRecord& record, Outcome outcome, DropReason reason) noexcept {
  tell(record, [outcome, reason](ReceiptState& state, std::uint32_t index) {
    state.update(index, outcome, reason);
  });
}

void tell_receipt_handed_out(const MessageRecord& record) noexcept {
  tell(record, [](ReceiptState& state, std::uint32_t index) { state.hand_out(index); });
}

void report_out_of_sight(const MessageRecord& record) noexcept {
  tell(record, [](ReceiptState& state, std::uint32_t index) { state.lose_sight(index); });
}

}  // namespace detail

Task<bool> Receipt::reached(Stage stage, Deadline deadline) {
  const auto state = state_;  // outlives this object
  detail::ReceiptWait wait(*state, stage, deadline);
  co_return co_await wait;
}

const std::vector<TargetOutcome>& Receipt::targets() const noexcept { return state_->targets; }

}  // namespace coracle
