// A market for tests, played without any agent.
#pragma once

#include "coracle/caf/markets/good_auction.hpp"
#include "coracle/caf/markets/price_search.hpp"

#include <functional>
#include <string>
#include <vector>

namespace coracle::caf::bazaar {

using namespace std::chrono_literals;

inline Time at(Duration since) { return Time(1h + since); }

// A trader, and its bids.
struct Stand {
  std::string name;
  std::function<Curve(const Quote& quote)> bid;
};

// Return the bids of a consumer and of a producer.
Stand consumer(std::string name, Preferences likes, Basket has, std::vector<Technology> owns = {});
Stand producer(std::string name, Technology technology);

// Returns goods of those names, at those prices, each with an auctioneer "auction of NAME".
std::vector<Good> goods(const std::vector<std::string>& names, std::vector<double> prices = {});
std::vector<std::string> names(const std::vector<Stand>& stands);

// Plays one round of `search`; the trader `silent` does not bid.
void play_round(PriceSearch& search, const std::vector<Stand>& stands,
                const std::string& silent = {});
// Plays a search to its end, checks its record, and returns it.
MarketRecord play(const MarketTerms& terms, const std::vector<Good>& goods,
                  const std::vector<Stand>& stands);

// Consumers after Cobb and Douglas: each consumer's shares and endowments of each good.
struct Exchange {
  std::vector<std::string> goods;
  std::vector<std::vector<double>> shares;
  std::vector<std::vector<double>> has;

  std::vector<Stand> stands() const;
  // Returns their prices from the linear equations that hold at the balance; the first price is 1.
  std::vector<double> prices() const;
};

// Returns an exchange that follows from a seed.
Exchange some_exchange(std::uint64_t seed);

}  // namespace coracle::caf::bazaar
