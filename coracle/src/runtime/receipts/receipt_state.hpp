// The state behind a receipt: the stages and outcomes of a tracked message at its targets.
#pragma once

#include "coracle/receipt.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <vector>

namespace coracle::detail {

struct ReceiptWait;

// Only the worker that the sender lived on when it sent the message touches this state.
struct ReceiptState {
  virtual ~ReceiptState() = default;

  Worker* home = nullptr;
  std::vector<TargetOutcome> targets;
  std::vector<bool> out_of_sight;  // targets of which nothing more will be known
  Link waits;                      // ReceiptWaits
  virtual void update(std::uint32_t index, Stage stage);
  // The message was handed out at a target: this includes that it was delivered.
  virtual void hand_out(std::uint32_t index) { update(index, Stage::delivered); }
  virtual void update(std::uint32_t index, Outcome outcome, DropReason reason);
  virtual void lose_sight(std::uint32_t index);
  // Returns whether somebody wants the outcome, when a message and others own the state `owners`
  // times.
  virtual bool is_awaited(long owners) const noexcept { return owners > 1; }
  // Returns whether all targets reached `stage`; nothing while that is undecided.
  std::optional<bool> reached(Stage stage) const;

 private:
  void changed();
};

// Updates the receipt of a message, if it has one.
void tell_receipt(const MessageRecord& record, Stage stage) noexcept;
void tell_receipt(const MessageRecord& record, Outcome outcome,
                  DropReason reason = DropReason::oldest) noexcept;
void tell_receipt_handed_out(const MessageRecord& record) noexcept;

}  // namespace coracle::detail
