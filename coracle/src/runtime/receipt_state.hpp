// What a sender knows of a message that it tracks.
#pragma once

#include "coracle/receipt.hpp"
#include "runtime/party.hpp"

#include <vector>

namespace coracle::detail {

struct ReceiptWait;

// Touched by the worker that the sender lived on when it sent.
struct ReceiptState {
  virtual ~ReceiptState() = default;

  Worker* home = nullptr;
  std::vector<TargetOutcome> targets;
  std::vector<bool> out_of_sight;  // of these nothing more will be known
  Link waits;                      // ReceiptWaits
  virtual void update(std::uint32_t index, Stage stage);
  virtual void update(std::uint32_t index, Outcome outcome);
  void lose_sight(std::uint32_t index);
  // Whether all came that far; nothing while that is open.
  std::optional<bool> reached(Stage stage) const;

 private:
  void changed();
};

}  // namespace coracle::detail
