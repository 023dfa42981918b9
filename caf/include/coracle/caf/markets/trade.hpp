// The messages between a market, its auctioneers and its traders. Their content is typed, so that
// any agent can take part. One round consists of: AuctionCall to each auctioneer, Quote from each
// of these to each trader, CurveBid from each, Clearing to the market. The end consists of
// MarketResult to the agent that sent the request, Trades to each trader, MarketClosed to each
// auctioneer.
#pragma once

#include "coracle/caf/common/incident.hpp"
#include "coracle/caf/common/refusal.hpp"
#include "coracle/caf/markets/economy.hpp"
#include "coracle/clock.hpp"
#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// The number of one trade. No other trade of the same market has it.
using TradeId = std::uint64_t;

// To a market: a request to find prices. Send it by ask(), or use hold_trade().
struct TradeRequest {
  static constexpr std::string_view content_type = "coracle/caf/trade-request/v1";

  // The prices to begin with, in the order of the market's goods; empty: those of the market's
  // goods.
  std::vector<double> prices;
};

// The result of a trade.
struct MarketResult {
  static constexpr std::string_view content_type = "coracle/caf/market-result/v1";

  // The trade.
  TradeId id = 0;
  // True if the prices balance all goods; otherwise `why` contains the reason, and nobody trades.
  bool converged = false;
  std::string why;
  // The number of rounds.
  std::uint32_t rounds = 0;
  // The last prices, and the excess of demand over supply at these prices.
  PriceList prices;
  std::vector<double> excess;
  // The traders, and the quantity of each good that each gets; a negative quantity is given away.
  std::vector<std::string> traders;
  std::vector<std::vector<double>> quantities;

  friend bool operator==(const MarketResult&, const MarketResult&) = default;

  // Returns the quantity of a good that a trader gets; zero for strangers.
  double quantity(std::string_view trader, std::string_view good) const;
};

// From a market to an auctioneer: the auctioneer should sell a good, at first for the given price,
// among the given traders.
struct AuctionCall {
  static constexpr std::string_view content_type = "coracle/caf/auction-call/v1";

  // The trade, the round, the good, and the prices of all goods in this round.
  TradeId id = 0;
  std::uint32_t round = 0;
  std::string good;
  PriceList prices;
  // All traders, and the numbers of those that have gone since.
  std::vector<std::string> traders;
  std::vector<std::uint32_t> gone;
  Adjusting how;
  // The time that traders have for their bids.
  Duration within{};
};

// From an auctioneer to a trader: the prices, and a request for the quantity of the good that the
// trader wants at each price.
struct Quote {
  static constexpr std::string_view content_type = "coracle/caf/quote/v1";

  // The trade, the round, the good, the prices of all goods, and the time for a bid.
  TradeId id = 0;
  std::uint32_t round = 0;
  std::string good;
  PriceList prices;
  Duration within{};
};

// From a trader to an auctioneer: its demand.
struct CurveBid {
  static constexpr std::string_view content_type = "coracle/caf/curve-bid/v2";

  // The quote that this bid replies to, and the quantity of the good that is wanted at each price.
  TradeId id = 0;
  std::uint32_t round = 0;
  std::string good;
  Curve curve;
};

// From an auctioneer to a market: the bids, and the price that follows from them.
struct Clearing {
  static constexpr std::string_view content_type = "coracle/caf/clearing/v2";

  // The call that this clearing replies to.
  TradeId id = 0;
  std::uint32_t round = 0;
  std::string good;
  // The excess and the volume at the price that was quoted.
  double excess = 0;
  double volume = 0;
  // The next price.
  double price = 0;
  // The bids and the traders without a bid, both in the order of the traders. Each trader is in one
  // of the two.
  std::vector<TakenCurve> bids;
  std::vector<std::uint32_t> missing;
  std::vector<Incident> incidents;
};

// From a market to a trader: the trader's result, in the order of the goods. The quantities are
// empty unless the search converged.
struct Trades {
  static constexpr std::string_view content_type = "coracle/caf/trades/v1";

  // The trade, whether it converged, the prices, and the quantity of each good.
  TradeId id = 0;
  bool converged = false;
  PriceList prices;
  std::vector<double> quantities;
};

// From a market to an auctioneer: the trade is over.
struct MarketClosed {
  static constexpr std::string_view content_type = "coracle/caf/market-closed/v1";

  // The trade.
  TradeId id = 0;
};

// To a market: a request for the MarketRecord of a trade. Send it by ask().
struct MarketRecordRequest {
  static constexpr std::string_view content_type = "coracle/caf/market-record-request/v1";

  // The trade.
  TradeId id = 0;
};

}  // namespace coracle::caf
