// The record of a trade, by which anybody can find its prices again. Tests:
// caf/tests/markets/price_search_test.cpp.
#pragma once

#include "coracle/caf/markets/trade.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::caf {

// The terms by which a market finds its prices.
struct MarketTerms {
  // The way in which each auction changes its price, and the part of the way that the price goes at
  // once.
  Adjustment adjustment = Adjustment::clearing;
  double pace = 1;
  // The good in which the others are counted; its price stays. Empty: the first good.
  std::string numeraire;
  // A good is balanced when its excess is at most this part of its volume.
  double tolerance = 1e-9;
  // The number of rounds after which the trade ends without a result.
  std::uint32_t rounds = 200;
  // The time that traders have in each round, and the time that auctioneers have. The time of the
  // auctioneers includes that of the traders.
  Duration bid_within = std::chrono::seconds(5);
  Duration clear_within = std::chrono::seconds(10);

  friend bool operator==(const MarketTerms&, const MarketTerms&) = default;
};

// One good in one round.
struct ClearedGood {
  // The price that was quoted, the excess and the volume at this price, and the price that follows.
  double price = 0;
  double excess = 0;
  double volume = 0;
  double next = 0;
  std::vector<TakenCurve> bids;
  std::vector<std::uint32_t> missing;

  friend bool operator==(const ClearedGood&, const ClearedGood&) = default;
};

// All goods in one round.
struct MarketRound {
  std::vector<ClearedGood> goods;

  friend bool operator==(const MarketRound&, const MarketRound&) = default;
};

// Everything about one trade.
struct MarketRecord {
  static constexpr std::string_view content_type = "coracle/caf/market-record/v2";

  // The number of the trade, the market, and its terms.
  TradeId id = 0;
  std::string market;
  MarketTerms terms;
  std::vector<std::string> goods;
  std::vector<std::string> auctioneers;
  std::vector<std::string> traders;
  // Traders that were not called, because they have not taken the results of an earlier trade.
  std::vector<std::uint32_t> absent;
  std::vector<MarketRound> rounds;
  std::vector<Incident> incidents;
  // The result of the trade.
  MarketResult result;
};

// The bounds of the prices in a market, in units of its numeraire's price.
inline constexpr double lowest_price = 1e-12;
inline constexpr double highest_price = 1e12;

// Returns the way in which the auction of good number `good` changes its price.
Adjusting adjusting_of(const MarketTerms& terms, std::size_t numeraire, std::size_t good,
                       double price_of_numeraire);

// Returns the result of a record as if its last round were balanced. Before any round, the result
// has `prices`.
MarketResult result_of(const MarketRecord& record, const std::vector<double>& prices);

// Finds every price of a record again and returns the faults of the record; nothing when the record
// supports its result.
std::vector<std::string> retrace(const MarketRecord& record);

}  // namespace coracle::caf
