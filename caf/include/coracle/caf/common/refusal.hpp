// The reply of a council, a market or an auctioneer to a message that has no effect. Tests:
// tests/voting/council_test.cpp, tests/markets/markets_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace coracle::caf {

// To the sender of a message that has no effect: what the message was, and the reason.
struct Refusal {
  static constexpr std::string_view content_type = "coracle/caf/refusal/v1";

  // The number of the decision or trade, the number of its vote or round, the refused message, and
  // the reason.
  std::uint64_t id = 0;
  std::uint32_t round = 0;
  std::string what;
  std::string reason;
};

}  // namespace coracle::caf
