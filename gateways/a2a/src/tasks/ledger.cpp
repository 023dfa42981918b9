#include "tasks/ledger.hpp"

namespace coracle::a2a {

bool Ledger::enter(const std::string& caller, TaskReceipt& receipt) {
  if (callers_.size() >= most_callers_ && !callers_.contains(caller)) return false;
  Last& last = callers_[caller];
  receipt.entry = ++last.entry;
  receipt.previous = last.digest;
  receipt.digest = last.digest = digest_of(receipt);
  return true;
}

}  // namespace coracle::a2a
