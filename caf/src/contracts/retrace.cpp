// The choices of a contract's record, and the check that they are right.
#include "coracle/caf/contracts/contract_record.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace coracle::caf {

namespace {

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

// Returns the lot of a bidder. It is the same on every machine.
std::uint64_t lot_of(const ContractRecord& record, std::uint32_t bidder) {
  std::uint64_t lot = mixed(record.seed ^ mixed(record.contract.id));
  for (const char each : record.invited[bidder]) {
    lot = mixed(lot + static_cast<unsigned char>(each) + 1);
  }
  return lot;
}

bool is_held(const MadeAward& award, std::uint32_t choice) {
  return award.choice < choice && (award.state == AwardState::fulfilled || award.until >= choice);
}

}  // namespace

Standing standing_at(const ContractRecord& record, std::uint32_t choice) {
  Standing standing;
  standing.free = record.contract.all();
  const bool is_past = choice <= record.choices.size();
  const std::uint32_t round = is_past ? record.choices[choice - 1] : record.contract.round;
  std::vector<bool> has_had(record.invited.size(), false);
  for (const MadeAward& each : record.awards) {
    if (is_held(each, choice)) standing.free &= ~each.items;
    if (each.choice < choice && record.choices[each.choice - 1] == round) {
      has_had[each.bidder] = true;
    }
  }
  std::vector<std::uint32_t> bids;
  bids.reserve(record.bids.size());
  for (std::uint32_t i = 0; i < record.bids.size(); ++i) {
    const TakenBid& each = record.bids[i];
    if (each.round == round && each.until >= choice && !has_had[each.bidder]) bids.push_back(i);
  }
  if (record.seed != 0) {
    std::stable_sort(bids.begin(), bids.end(), [&](std::uint32_t a, std::uint32_t b) {
      return lot_of(record, record.bids[a].bidder) < lot_of(record, record.bids[b].bidder);
    });
  }
  standing.offers.reserve(bids.size());
  standing.bids.reserve(bids.size());
  for (const std::uint32_t bid : bids) {
    for (const Offering& each : record.bids[bid].offerings) {
      if ((each.items & ~standing.free) != 0) continue;
      standing.offers.push_back({record.bids[bid].bidder, each.items, each.amount});
      standing.bids.push_back(bid);
    }
  }
  return standing;
}

namespace {

// Returns the fault of numbers in a record that would be out of range.
std::string fault_of_places(const ContractRecord& record) {
  for (const TakenBid& each : record.bids) {
    if (each.bidder >= record.invited.size()) return "a bid is of a bidder that was not invited";
    const std::string fault = fault_of(Bid{0, 0, each.offerings, each.text}, record.contract);
    if (!fault.empty()) return "a bid should not have been taken: " + fault;
  }
  for (std::size_t i = 0; i < record.awards.size(); ++i) {
    const MadeAward& each = record.awards[i];
    if (each.number != i + 1) return "the awards are not numbered in their order";
    if (each.bidder >= record.invited.size()) return "an award is to a bidder that was not invited";
    if (each.choice == 0 || each.choice > record.choices.size() ||
        (i > 0 && each.choice < record.awards[i - 1].choice)) {
      return "award " + std::to_string(each.number) + " belongs to no choice";
    }
  }
  return {};
}

void check_choice(const ContractRecord& record, const AwardRule& rule, std::uint32_t choice,
                  std::vector<std::string>& faults) {
  const Standing standing = standing_at(record, choice);
  const auto chosen = rule.choose(standing.offers, standing.free, record.reserve);
  std::vector<Amount> prices;
  if (record.pricing == Pricing::vickrey && rule.best()) {
    prices = vickrey_prices(standing.offers, standing.free, {chosen, true},
                            {*rule.best(), record.reserve});
  }
  std::vector<const MadeAward*> made;
  for (const MadeAward& each : record.awards) {
    if (each.choice == choice) made.push_back(&each);
  }
  const std::string which = "choice " + std::to_string(choice);
  if (made.size() != chosen.size()) {
    faults.push_back(which + " should have made " + std::to_string(chosen.size()) +
                     " awards, and there are " + std::to_string(made.size()));
    return;
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Offer& offer = standing.offers[chosen[i]];
    const Amount price = prices.empty() ? offer.amount : prices[i];
    if (offer.bidder != made[i]->bidder || offer.items != made[i]->items ||
        offer.amount != made[i]->amount) {
      faults.push_back(which + " should have chosen " + record.invited[offer.bidder] + " and not " +
                       record.invited[made[i]->bidder]);
    } else if (price != made[i]->price) {
      faults.push_back("the price of award " + std::to_string(made[i]->number) + " should be " +
                       std::to_string(price));
    }
  }
}

// Checks that each item belongs to at most one award at every moment.
void check_holders(const ContractRecord& record, std::vector<std::string>& faults) {
  for (const MadeAward& one : record.awards) {
    for (const MadeAward& other : record.awards) {
      if (other.number <= one.number || (one.items & other.items) == 0) continue;
      const bool has_ended =
          !is_live(one.state) && one.state != AwardState::fulfilled && one.ended <= other.made;
      if (has_ended && one.until < other.choice) continue;
      faults.push_back("awards " + std::to_string(one.number) + " and " +
                       std::to_string(other.number) + " have an item at the same time");
    }
  }
}

void check_settlement(const ContractRecord& record, std::vector<std::string>& faults) {
  const Settlement& settlement = record.settlement;
  std::vector<Settlement::Part> parts;
  Items done = 0;
  Amount clients = 0;
  Amount bidders = 0;
  for (const MadeAward& each : record.awards) {
    clients += each.client_owes;
    bidders += each.bidder_owes;
    if (is_live(each.state)) faults.push_back("an award goes on after the end");
    if (each.state != AwardState::fulfilled) continue;
    done |= each.items;
    parts.push_back({record.invited[each.bidder], each.items, each.price, each.text});
  }
  if (parts != settlement.parts) faults.push_back("the parts are not those of the awards");
  if (clients != settlement.client_owes || bidders != settlement.bidders_owe) {
    faults.push_back("the penalties do not add up");
  }
  const bool all = done == record.contract.all();
  if (all != (settlement.ended == Ended::fulfilled)) {
    faults.push_back(all ? "all was done, but it is not fulfilled"
                         : "it is fulfilled, but not all was done");
  }
}

}  // namespace

std::vector<std::string> retrace(const ContractRecord& record) {
  return retrace(record, award_rule(record.rule));
}

std::vector<std::string> retrace(const ContractRecord& record, const AwardRule& rule) {
  const std::string fault = fault_of_places(record);
  if (!fault.empty()) return {fault};
  std::vector<std::string> faults;
  for (std::uint32_t choice = 1; choice <= record.choices.size(); ++choice) {
    check_choice(record, rule, choice, faults);
  }
  check_holders(record, faults);
  check_settlement(record, faults);
  return faults;
}

}  // namespace coracle::caf
