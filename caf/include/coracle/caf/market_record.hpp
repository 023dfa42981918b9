// What is kept of a trade, so that anybody can find its prices again. Contract:
// caf/tests/price_search_test.cpp.
#pragma once

#include "coracle/caf/trade.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::caf {

// How a market finds its prices.
struct MarketTerms {
  // How each auction changes its price, and how much of the way at once.
  Adjustment adjustment = Adjustment::clearing;
  double pace = 1;
  // The good in which the others are counted; its price stays. Empty: the first.
  std::string numeraire;
  // A good is balanced when its excess is at most this part of its volume.
  double tolerance = 1e-9;
  // After so many rounds it ends without.
  std::uint32_t rounds = 200;
  // How long traders have in each round, and auctioneers, whose time includes that of the traders.
  Duration bid_within = std::chrono::seconds(5);
  Duration clear_within = std::chrono::seconds(10);

  friend bool operator==(const MarketTerms&, const MarketTerms&) = default;
};

// One good in one round.
struct ClearedGood {
  // The price that was quoted, what was found at it, and which price follows.
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

  // Which one, where, and by which terms.
  TradeId id = 0;
  std::string market;
  MarketTerms terms;
  std::vector<std::string> goods;
  std::vector<std::string> auctioneers;
  std::vector<std::string> traders;
  // Traders that were not asked: they have not taken in an earlier trade.
  std::vector<std::uint32_t> absent;
  std::vector<MarketRound> rounds;
  std::vector<Incident> incidents;
  // What came of it.
  MarketResult result;
};

// Between which prices a market stays, in those of its numeraire.
inline constexpr double lowest_price = 1e-12;
inline constexpr double highest_price = 1e12;

// How the auction of good number `good` changes its price.
Adjusting adjusting_of(const MarketTerms& terms, std::size_t numeraire, std::size_t good,
                       double price_of_numeraire);

// What the last round of a record comes to, were it balanced; before any round, those prices.
MarketResult result_of(const MarketRecord& record, const std::vector<double>& prices);

// Finds every price of a record again and says what is wrong with it; nothing when it supports its
// result.
std::vector<std::string> retrace(const MarketRecord& record);

}  // namespace coracle::caf
