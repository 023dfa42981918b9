// Traders and auctioneers that do what a test specifies.
#pragma once

#include "coracle/caf/auctioneer.hpp"
#include "coracle/caf/market.hpp"
#include "coracle/caf/trader.hpp"
#include "support/numbers.hpp"
#include "support/societies/diary.hpp"
#include "support/societies/grounds.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::caf::test {

using namespace std::chrono_literals;
using coracle::test::Diary;
using coracle::test::expect;
using coracle::test::expect_equal;
using coracle::test::expect_error;
using coracle::test::on_every_ground;

// A participant of a fair.
struct Visitor {
  std::string name;
  Preferences likes = {{{"apples", 1}, {"pears", 1}}, 1};
  Basket has = {};
  std::vector<Holding> holdings = {};
  // The bid that it sends instead, if there is one.
  std::function<Curve(const Quote& quote)> bids = {};
  // The round from which on it sends nothing more, and the round in which it dies on a request.
  std::uint32_t silent_from = UINT32_MAX;
  std::uint32_t dies_at = UINT32_MAX;
};

// A society for a test of markets.
class Fair : public coracle::test::Place {
 public:
  using Place::Place;

  // Makes the traders, an auctioneer for each good except those named "nobody", the market
  // "market", and runs `body` beside them.
  void run(MarketTerms terms, std::vector<Good> goods, std::vector<Visitor> visitors,
           std::vector<std::pair<std::string, Technology>> producers, coracle::test::Body body);
  // The same with apples and pears and no producers.
  void run(MarketTerms terms, std::vector<Visitor> visitors, coracle::test::Body body);
  // The refusals: "ann: bid: the reason".
  Diary& refusals() noexcept { return refusals_; }

 private:
  Diary refusals_;
  coracle::test::Numbers random_;
};

// The record of a trade, from the market; the test fails unless it can be retraced.
Task<MarketRecord> traced_record(Agent& me, TradeId id);
// A good with the auctioneer "auction/NAME".
Good good(const std::string& name, double price = 1);
// Expects two numbers that are the same except for rounding.
void expect_near(double found, double wanted, const std::string& what);

}  // namespace coracle::caf::test
