// An event that the record of a decision, a contract, a negotiation or a trade notes. Tests:
// caf/tests/contracts/tender_test.cpp.
#pragma once

#include "coracle/clock.hpp"

#include <string>

namespace coracle::caf {

// An event without effect, or with an effect worth knowing: a late, contradictory or invalid
// ballot or bid, or a member who did not open its commitment.
struct Incident {
  std::string who;
  std::string what;
  std::string reason;
  // The time since the beginning of what is recorded.
  Duration at{};

  friend bool operator==(const Incident&, const Incident&) = default;
};

}  // namespace coracle::caf
