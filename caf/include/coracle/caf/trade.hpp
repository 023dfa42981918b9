// What a market, its auctioneers and its traders say to each other: typed content, so that anybody
// can take part. One round is: AuctionCall to each auctioneer, Quote from each of these to each
// trader, CurveBid from each, Clearing to the market. At the end MarketResult to whoever asked,
// Trades to each trader, MarketClosed to each auctioneer.
#pragma once

#include "coracle/caf/economy.hpp"
#include "coracle/caf/record.hpp"
#include "coracle/clock.hpp"
#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// The number of one trade, which no other of the same market has.
using TradeId = std::uint64_t;

// A question to a market: find prices. ask() it, or use hold_trade().
struct TradeRequest {
  static constexpr std::string_view content_type = "coracle/caf/trade-request/v1";

  // With which prices to begin, in the order of the market's goods; none: those of its goods.
  std::vector<double> prices;
};

// What came of it.
struct MarketResult {
  static constexpr std::string_view content_type = "coracle/caf/market-result/v1";

  // Of which trade.
  TradeId id = 0;
  // Whether the prices balance all goods; otherwise `why` says why not, and nobody trades.
  bool converged = false;
  std::string why;
  // In how many rounds.
  std::uint32_t rounds = 0;
  // The last prices, and by how much demand exceeds supply at them.
  PriceList prices;
  std::vector<double> excess;
  // Who trades, and how much each gets of each good; what is negative it gives.
  std::vector<std::string> traders;
  std::vector<std::vector<double>> quantities;

  friend bool operator==(const MarketResult&, const MarketResult&) = default;

  // What a trader gets of a good; zero for strangers.
  double quantity(std::string_view trader, std::string_view good) const;
};

// To an auctioneer: sell this, at first for that price, among those.
struct AuctionCall {
  static constexpr std::string_view content_type = "coracle/caf/auction-call/v1";

  // For which trade and round, of what, and what everything costs in it.
  TradeId id = 0;
  std::uint32_t round = 0;
  std::string good;
  PriceList prices;
  // All traders; some have gone since, who are given by their numbers.
  std::vector<std::string> traders;
  std::vector<std::uint32_t> gone;
  Adjusting how;
  // How long traders have for their bids.
  Duration within{};
};

// To a trader: this is what things cost; how much of the good would you take at which price?
struct Quote {
  static constexpr std::string_view content_type = "coracle/caf/quote/v1";

  // For which trade and round, of what, what everything costs, and how long there is for a bid.
  TradeId id = 0;
  std::uint32_t round = 0;
  std::string good;
  PriceList prices;
  Duration within{};
};

// From a trader: that much.
struct CurveBid {
  static constexpr std::string_view content_type = "coracle/caf/curve-bid/v2";

  // Which quote it answers, and how much of the good is wanted at which price.
  TradeId id = 0;
  std::uint32_t round = 0;
  std::string good;
  Curve curve;
};

// From an auctioneer: what it was told, and which price follows.
struct Clearing {
  static constexpr std::string_view content_type = "coracle/caf/clearing/v2";

  // Which call it answers.
  TradeId id = 0;
  std::uint32_t round = 0;
  std::string good;
  // At the price that was quoted.
  double excess = 0;
  double volume = 0;
  // The next one.
  double price = 0;
  // In the order of the traders, each of whom is in one of the two.
  std::vector<TakenCurve> bids;
  std::vector<std::uint32_t> missing;
  std::vector<Incident> incidents;
};

// To a trader: what came of it for you, in the order of the goods. Nothing unless it converged.
struct Trades {
  static constexpr std::string_view content_type = "coracle/caf/trades/v1";

  // Of which trade, whether there is one, at what prices, and how much of each good.
  TradeId id = 0;
  bool converged = false;
  PriceList prices;
  std::vector<double> quantities;
};

// To an auctioneer: that was all.
struct MarketClosed {
  static constexpr std::string_view content_type = "coracle/caf/market-closed/v1";

  // Of which trade.
  TradeId id = 0;
};

// To a market: the MarketRecord of a trade, please; ask() it.
struct MarketRecordRequest {
  static constexpr std::string_view content_type = "coracle/caf/market-record-request/v1";

  // Of which trade.
  TradeId id = 0;
};

}  // namespace coracle::caf
