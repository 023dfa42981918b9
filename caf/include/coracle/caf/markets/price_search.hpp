// The search of a market for its prices, as a state machine. Its inputs are clearings and the time;
// its outputs are calls to the auctions and finally a result. Market drives it. Tests:
// caf/tests/markets/price_search_test.cpp.
#pragma once

#include "coracle/caf/markets/market_record.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// A good that is traded, the auctioneer that sells it, and its first price.
struct Good {
  std::string name;
  std::string auctioneer;
  double price = 1;
};

// The greatest number of bids in a record, over all goods, traders and rounds.
inline constexpr std::size_t market_bids_limit = 4'000'000;

// Each returns the fault of a market, or of the prices that it is to begin with; empty if there is
// none.
std::string fault_of(const MarketTerms& terms, const std::vector<Good>& goods,
                     const std::vector<std::string>& traders);
std::string fault_of_prices(const std::vector<double>& prices, std::size_t goods);

// One trade from its first prices to its end.
class PriceSearch {
 public:
  // Requires that none of the arguments has a fault. Absent traders are not called.
  PriceSearch(MarketTerms terms, const std::vector<Good>& goods, std::vector<std::string> traders,
              std::string market, TradeId id, Time now, std::vector<std::uint32_t> absent = {});

  // The call to the auctioneer of a good in the present round, and the number of this round,
  // counted from one.
  AuctionCall call_of(std::size_t good) const;
  std::uint32_t round() const noexcept { return round_; }

  // Handles an auctioneer's clearing. Returns the reason if the clearing has no effect, which the
  // search also notes; otherwise nothing.
  std::string hear(std::string_view who, const Clearing& clearing, Time now);
  // Notes that an auctioneer cannot be reached.
  void give_up(std::size_t good, std::string_view why, Time now);
  // Does what is due.
  void on_time(Time now);

  // Returns true if the search is over; and the time at which something is due at the latest.
  bool over() const noexcept { return over_; }
  Time deadline() const noexcept { return over_ ? Time::max() : deadline_; }
  // Everything that has happened.
  const MarketRecord& record() const noexcept { return record_; }
  // Returns whether a trader was left out.
  bool is_gone(std::size_t trader) const noexcept;
  // Returns the result that a trader receives at the end.
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
