// The counts of what a worker has taken in and passed on, for the ledger.
#pragma once

#include "runtime/mailbox/mailbox.hpp"

namespace coracle::detail {

struct Flow {
  std::uint64_t out = 0, in = 0;  // records given to and taken from rings
  std::uint64_t copies_out = 0, copies_in = 0;
  std::uint64_t copies_made = 0, copies_missed = 0;
  std::uint64_t received = 0, copies_received = 0;  // from other nodes
  Counters counters;
};

}  // namespace coracle::detail
