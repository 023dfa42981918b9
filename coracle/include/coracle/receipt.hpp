// A receipt reports to a sender the outcomes of a message that it tracks.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/name.hpp"
#include "coracle/outcome.hpp"
#include "coracle/task.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace coracle {

namespace detail {
struct ReceiptState;
}

// The state of a message at one of its targets.
struct TargetOutcome {
  Name target;
  // The last stage that the message has reached.
  Stage stage = Stage::accepted;
  // The outcome, once the message has ended.
  std::optional<Outcome> outcome;
};

// The receipt of one tracked send; copies share its state. It belongs to the agent that sent.
class Receipt {
 public:
  explicit Receipt(std::shared_ptr<detail::ReceiptState> state) noexcept
      : state_(std::move(state)) {}

  // Waits until the message has reached that stage at every target, or has ended at the targets
  // where it will not reach it. Returns true when it has reached the stage at every target; false
  // when it will not at one of them, or at the deadline.
  Task<bool> reached(Stage stage, Deadline deadline = Deadline::never());
  // The states known now, in the order of the targets.
  const std::vector<TargetOutcome>& targets() const noexcept;
  // The state at the only target, or at the first.
  const TargetOutcome& first() const noexcept { return targets().front(); }

 private:
  std::shared_ptr<detail::ReceiptState> state_;
};

}  // namespace coracle
