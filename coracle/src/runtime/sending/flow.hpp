// The counts of what a worker has taken in and passed on, for the ledger, and the ledger.
#pragma once

#include "coracle/outcome.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <cstdint>

namespace coracle::detail {

class NodeCore;

struct Flow {
  std::uint64_t out = 0, in = 0;  // records given to and taken from rings
  std::uint64_t copies_out = 0, copies_in = 0;
  std::uint64_t copies_made = 0, copies_missed = 0;
  std::uint64_t received = 0, copies_received = 0;  // from other nodes
  Counters counters;
};

// Counts the messages of the node, or of one name, while all workers stand still (ledger.cpp).
Ledger ledger_of(NodeCore& node);
Ledger ledger_of(NodeCore& node, Mailbox& mailbox);

}  // namespace coracle::detail
