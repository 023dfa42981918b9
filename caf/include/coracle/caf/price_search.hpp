// How a market comes to its prices, as a state machine: clearings and the time go in, calls to the
// auctions and at last a result come out. Market drives it. Contract:
// caf/tests/price_search_test.cpp.
#pragma once

#include "coracle/caf/market_record.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// A good that is traded, who has its auction, and its first price.
struct Good {
  std::string name;
  std::string auctioneer;
  double price = 1;
};

// What a record may hold at most: bids, over all goods, traders and rounds.
inline constexpr std::size_t market_bids_limit = 4'000'000;

// What is wrong with a market, or with the prices that it shall begin with; empty if nothing is.
std::string fault_of(const MarketTerms& terms, const std::vector<Good>& goods,
                     const std::vector<std::string>& traders);
std::string fault_of_prices(const std::vector<double>& prices, std::size_t goods);

// One trade from its first prices to its end.
class PriceSearch {
 public:
  // Requires that there is no fault in any of these. Who is absent is not asked.
  PriceSearch(MarketTerms terms, const std::vector<Good>& goods, std::vector<std::string> traders,
              std::string market, TradeId id, Time now, std::vector<std::uint32_t> absent = {});

  // What the auctioneer of a good is told in the present round, which is counted from one.
  AuctionCall call_of(std::size_t good) const;
  std::uint32_t round() const noexcept { return round_; }

  // An auctioneer says what came of its auction: why that has no effect, which is noted, or
  // nothing.
  std::string hear(std::string_view who, const Clearing& clearing, Time now);
  // An auctioneer cannot be reached.
  void give_up(std::size_t good, std::string_view why, Time now);
  // Time has passed.
  void on_time(Time now);

  // Whether it is over, and when something is due at the latest.
  bool over() const noexcept { return over_; }
  Time deadline() const noexcept { return over_ ? Time::max() : deadline_; }
  // All that happened.
  const MarketRecord& record() const noexcept { return record_; }
  // Whether a trader was left out.
  bool is_gone(std::size_t trader) const noexcept;
  // What a trader is told at the end.
  Trades trades_of(std::size_t trader) const;

 private:
  void begin_round(Time now);
  void end_round(Time now);
  std::string imbalance(bool is_moving) const;
  void end(bool converged, std::string why);
  std::string fault_of(std::size_t good, const Clearing& clearing) const;
  std::string refuse(std::string_view who, std::string_view what, std::string reason, Time now);
  void note(Incident incident);

  MarketRecord record_;
  std::size_t numeraire_ = 0;
  Time begin_;
  Time deadline_;
  std::uint32_t round_ = 0;
  std::vector<double> prices_;
  std::vector<std::uint32_t> gone_;
  std::vector<std::optional<ClearedGood>> cleared_;
  bool over_ = false;
};

}  // namespace coracle::caf
