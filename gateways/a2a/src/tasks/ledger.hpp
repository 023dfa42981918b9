// The ledger of a gateway: the receipts of each caller follow each other.
// Tests: gateways/a2a/tests/receipts_test.cpp
#pragma once

#include "coracle/a2a/receipts.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace coracle::a2a {

class Ledger {
 public:
  explicit Ledger(std::size_t callers) : most_callers_(callers) {}

  // Enters a receipt, of which the number and both digests are set. Returns false, and does
  // nothing, if there are too many callers.
  bool enter(const std::string& caller, TaskReceipt& receipt);

 private:
  struct Last {
    std::uint64_t entry = 0;
    std::string digest = {};
  };

  const std::size_t most_callers_;
  std::map<std::string, Last> callers_;
};

}  // namespace coracle::a2a
