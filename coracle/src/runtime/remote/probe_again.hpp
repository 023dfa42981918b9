// A timer after which the waits that lead to other nodes are probed again.
#pragma once

#include "coracle/detail/waiting.hpp"

#include <utility>
#include <vector>

namespace coracle::detail {

class Mailbox;

struct ProbeAgain final : TimerNode {
  ProbeAgain() noexcept : TimerNode(&on_time) {}
  static void on_time(TimerNode& timer) noexcept;

  std::vector<std::pair<Mailbox*, unsigned>> waits;  // and how often each was probed
};

}  // namespace coracle::detail
