// A reader that selects has looked at the first of the messages that wait for room in its mailbox,
// and has found none that it wants. It now looks at the others, some at a time, as long as it
// waits. So a node with many waiting senders does not hold up the worker at each receive.
#pragma once

#include "coracle/detail/waiting.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

namespace coracle::detail {

class Mailbox;
class Worker;

class SlotScan final : TimerNode {
 public:
  static constexpr std::size_t at_once = 1024;  // less than a tenth of a millisecond
  static constexpr Duration pause = std::chrono::milliseconds(1);

  SlotScan(Worker& home, Mailbox& mailbox) noexcept
      : TimerNode(&on_time), home_(home), mailbox_(mailbox) {}

  // Looks for `wanted` from the first ticket on.
  void begin(const Match& wanted);
  // The reader of `wanted` has got a slot for a message, or begins to wait.
  void end(const Match& wanted) noexcept;

 private:
  using Wanted = std::vector<const Match*>;  // of readers, some of which may not wait any more

  static void on_time(TimerNode& timer) noexcept;
  void look();
  void forget_gone(Wanted& wanted) const noexcept;

  Worker& home_;
  Mailbox& mailbox_;
  Wanted seeking_, next_;  // in this round, and in the next one
};

}  // namespace coracle::detail
