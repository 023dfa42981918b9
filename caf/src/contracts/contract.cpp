#include "coracle/caf/contracts/contract.hpp"

#include "common/wide.hpp"
#include "coracle/caf/contracts/contract_record.hpp"

#include <algorithm>

namespace coracle::caf {

namespace {

constexpr std::size_t offerings_limit = 256;
constexpr std::size_t bid_text_limit = 64 * 1024;

}  // namespace

Amount Penalty::after(Duration since) const noexcept {
  const Wide seconds = std::max<Wide>(0, since.count());
  const Wide due = Wide{fixed} + Wide{per_second} * seconds / 1'000'000'000;
  return static_cast<Amount>(std::clamp<Wide>(due, 0, amount_limit));
}

std::string fault_of(const Bid& bid, const Contract& contract) {
  if (bid.offerings.empty()) return "the bid offers nothing; decline instead";
  if (bid.offerings.size() > offerings_limit) {
    return "the bid has more than " + std::to_string(offerings_limit) + " offerings";
  }
  if (bid.text.size() > bid_text_limit) {
    return "its text has more than " + std::to_string(bid_text_limit) + " bytes";
  }
  for (const Offering& each : bid.offerings) {
    if (each.amount < 0) return "the amount " + std::to_string(each.amount) + " is negative";
    if (each.amount > amount_limit) {
      return "the amount " + std::to_string(each.amount) + " is over the limit of " +
             std::to_string(amount_limit);
    }
    if (each.items == 0) return "an offering is for no item at all";
    if ((each.items & ~contract.all()) != 0) {
      return "an offering is for an item that the contract does not have";
    }
  }
  return {};
}

const char* to_string(AwardState state) noexcept {
  static constexpr const char* names[] = {"offered",  "running",   "revoking",  "fulfilled",
                                          "refused",  "lapsed",    "failed",    "expired",
                                          "released", "withdrawn", "terminated", "gone"};
  return names[static_cast<std::size_t>(state)];
}

const char* to_string(Ended ended) noexcept {
  static constexpr const char* names[] = {"fulfilled", "partly", "no bids",
                                          "rejected",  "failed", "cancelled"};
  return names[static_cast<std::size_t>(ended)];
}

}  // namespace coracle::caf
