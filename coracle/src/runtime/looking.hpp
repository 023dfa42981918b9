// A reader that chooses has looked at the first of those that wait for room in its mailbox, and at
// none that it wants. Now it looks at the others, some at a time, as long as it waits: so a node
// with many waiting senders does not hold up the worker at each receive.
#pragma once

#include "coracle/detail/waiting.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

namespace coracle::detail {

class Party;
class Worker;

class Looking final : TimerNode {
 public:
  static constexpr std::size_t at_once = 1024;  // less than a tenth of a millisecond
  static constexpr Duration pause = std::chrono::milliseconds(1);

  Looking(Worker& home, Party& mailbox) noexcept
      : TimerNode(&on_time), home_(home), mailbox_(mailbox) {}

  // For the reader that wants that: from the first one on.
  void begin(const Match& wanted);
  // It has got a place for a message, or begins to wait.
  void end(const Match& wanted) noexcept;

 private:
  using Wanted = std::vector<const Match*>;  // of readers, some of which may not wait any more

  static void on_time(TimerNode& timer) noexcept;
  void look();
  void forget_gone(Wanted& wanted) const noexcept;

  Worker& home_;
  Party& mailbox_;
  Wanted seeking_, next_;  // in this round, and in the one after it
};

}  // namespace coracle::detail
