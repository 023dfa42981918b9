// Tells a sender what becomes of a message that it tracks.
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

// What became of a message at one of its targets.
struct TargetOutcome {
  Name target;
  // How far it has come.
  Stage stage = Stage::accepted;
  // How it ended, once it has.
  std::optional<Outcome> outcome;
};

// The receipt of one tracked send; copies share it. Belongs to the agent that sent.
class Receipt {
 public:
  explicit Receipt(std::shared_ptr<detail::ReceiptState> state) noexcept
      : state_(std::move(state)) {}

  // Waits until the message has come that far at every target, or has ended at those where it
  // will not. True when all came that far; false when one will not, or at the deadline.
  Task<bool> reached(Stage stage, Deadline deadline = Deadline::never());
  // What is known now, in the order of the targets.
  const std::vector<TargetOutcome>& targets() const noexcept;
  // What is known of the only target, or of the first.
  const TargetOutcome& first() const noexcept { return targets().front(); }

 private:
  std::shared_ptr<detail::ReceiptState> state_;
};

}  // namespace coracle
