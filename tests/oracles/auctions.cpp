#include "answers.hpp"
#include "coracle/caf/contracts/auction.hpp"

#include <string>

namespace coracle::caf::oracles {

void answer_auction(std::istream& in, std::ostream& out) {
  std::string best;
  Amount reserve = 0;
  Items free = 0;
  in >> best >> reserve >> free;
  Goal goal;
  goal.best = best == "lowest" ? Best::lowest : Best::highest;
  if (reserve >= 0) goal.reserve = reserve;
  const std::vector<Offer> offers = list_of(in, [](std::istream& each) {
    Offer offer;
    each >> offer.bidder >> offer.items >> offer.amount;
    return offer;
  });
  const Allocation found = best_allocation(offers, free, goal);
  out << found.exact << ' ';
  for (const std::uint32_t each : found.winners) out << each << ' ';
  out << '|';
  for (const Amount each : vickrey_prices(offers, free, found, goal)) out << ' ' << each;
}

}  // namespace coracle::caf::oracles
