// Waits for other nodes that were probed, until they are probed again.
#pragma once

#include "coracle/detail/waiting.hpp"

#include <utility>
#include <vector>

namespace coracle::detail {

class Party;

struct ProbeAgain final : TimerNode {
  ProbeAgain() noexcept : TimerNode(&on_time) {}
  static void on_time(TimerNode& timer) noexcept;

  std::vector<std::pair<Party*, unsigned>> waits;  // and how often that was done
};

}  // namespace coracle::detail
