// The slots that one worker takes in the mailboxes of other workers, and the slots in its own
// mailboxes that it gives back (taken_slots.cpp).
#pragma once

#include "runtime/mailbox/mailbox.hpp"

#include <cstdint>

namespace coracle::detail {

class TakenSlots {
 public:
  explicit TakenSlots(Worker& worker) noexcept : worker_(worker) {}

  // --- in mailboxes of this worker ---
  // A slot is about to be given back. While a ring is drained, the slots of one mailbox are given
  // back together, because its senders read their number, too.
  void count_release(Mailbox& target) noexcept {
    if (releasing_ != &target) {
      release();
      releasing_ = &target;
    }
    ++releases_;
  }
  void release() noexcept;

  // --- in mailboxes of other workers ---
  // Takes a slot; false when there is none. `mode` is the target's.
  bool take(Mailbox& target, std::uint32_t mode, Worker& home) noexcept;
  // Returns whether slots in the mailbox were taken beforehand; then they are at home().
  bool has_for(const Mailbox& target) const noexcept {
    return prepaid_for_ == &target && prepaid_ != 0;
  }
  Worker& home() const noexcept { return *prepaid_home_; }
  void use_one() noexcept { --prepaid_; }
  void return_prepaid() noexcept;
  void return_prepaid_of(const Mailbox& mailbox) noexcept;
  // A sender waits for room in this worker's mailbox: all other workers give back the slots that
  // they took beforehand.
  void call_in(Mailbox& mailbox);

 private:
  void give_back(std::uint32_t places) noexcept;

  Worker& worker_;
  Mailbox* releasing_ = nullptr;  // the mailbox whose slots are about to be given back
  std::uint32_t releases_ = 0;
  Mailbox* prepaid_for_ = nullptr;  // the mailbox whose slots were taken beforehand
  Worker* prepaid_home_ = nullptr;
  std::uint32_t prepaid_ = 0;
};

}  // namespace coracle::detail
