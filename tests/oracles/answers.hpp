// The kinds of cases. Words are separated by blanks; a list is its length and then its parts.
#pragma once

#include <cstddef>
#include <istream>
#include <ostream>
#include <vector>

namespace coracle::caf::oracles {

// A list of parts that `read` reads.
template <class Read>
auto list_of(std::istream& in, Read read) {
  std::vector<decltype(read(in))> all;
  std::size_t count = 0;
  in >> count;
  for (std::size_t i = 0; i < count && in; ++i) all.push_back(read(in));
  return all;
}

// RULE CANDIDATES NUMBERS BALLOTS; a ballot is its weight, its ranking, and its approvals and
// scores, each 0, or 1 and a list. Numbers, empty or one for each candidate, are for the median.
// Answer: the winners; after "|" the committees, separated by "/".
void answer_vote(std::istream& in, std::ostream& out);
// RULE INCUMBENT WEIGHTS VOTES: a council of members with these weights, where silence counts for
// the incumbent's place (-1: none). There are three alternatives. A vote is a member and its ballot
// without a weight. Answer: the winners before ties are broken.
void answer_council(std::istream& in, std::ostream& out);
// BEST RESERVE FREE OFFERS: "highest" or "lowest", an amount or -1; offers are bidder, items,
// amount. Answer: whether it is exact, the winners, "|", Vickrey's prices.
void answer_auction(std::istream& in, std::ostream& out);
// ADJUSTMENT ROUNDS TOLERANCE PRICES TRADERS: a trader is its elasticity, and for each good its
// preference and its amount. Answer: converged or not, rounds, prices, "|", each trader's amount of
// each good.
void answer_market(std::istream& in, std::ostream& out);
// ELASTICITY GOOD AT PRICES SHARES HAS: answer: fault of the curve or "-", net demand at the price
// AT.
void answer_curve(std::istream& in, std::ostream& out);
// ELASTICITY SHARES QUANTITIES.
void answer_utility(std::istream& in, std::ostream& out);

}  // namespace coracle::caf::oracles
