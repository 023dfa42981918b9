#include "bazaar.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>

namespace coracle::caf::bazaar {

Stand consumer(std::string name, Preferences likes, Basket has, std::vector<Technology> owns) {
  return {std::move(name), [=](const Quote& quote) {
            double income = 0;
            for (const Technology& each : owns) income += profit(each, quote.prices);
            return curve_of(likes, has, income, quote.prices, quote.good);
          }};
}

Stand producer(std::string name, Technology technology) {
  return {std::move(name),
          [=](const Quote& quote) { return curve_of(technology, quote.prices, quote.good); }};
}

std::vector<Good> goods(const std::vector<std::string>& names, std::vector<double> prices) {
  std::vector<Good> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    all.push_back({names[i], "auction of " + names[i], prices.empty() ? 1 : prices[i]});
  }
  return all;
}

std::vector<std::string> names(const std::vector<Stand>& stands) {
  std::vector<std::string> all;
  for (const Stand& each : stands) all.push_back(each.name);
  return all;
}

void play_round(PriceSearch& search, const std::vector<Stand>& stands, const std::string& silent) {
  const std::uint32_t round = search.round();
  for (std::size_t good = 0; good < search.record().goods.size(); ++good) {
    if (search.over() || search.round() != round) return;
    const AuctionCall call = search.call_of(good);
    BOOST_TEST_REQUIRE(fault_of(call) == "");
    GoodAuction auction(call, at(0s));
    const Quote quote{call.id, call.round, call.good, call.prices, call.within};
    for (const Stand& each : stands) {
      if (each.name == silent || !auction.find(each.name)) continue;
      const CurveBid bid{call.id, call.round, call.good, each.bid(quote)};
      BOOST_TEST_REQUIRE(auction.bid(each.name, bid, at(0s)) == "");
    }
    if (!silent.empty()) auction.on_time(auction.deadline());
    BOOST_TEST_REQUIRE(auction.closed());
    const std::string& who = search.record().auctioneers[good];
    BOOST_TEST_REQUIRE(search.hear(who, auction.clearing(), at(0s)) == "");
  }
}

MarketRecord play(const MarketTerms& terms, const std::vector<Good>& goods,
                  const std::vector<Stand>& stands) {
  BOOST_TEST_REQUIRE(fault_of(terms, goods, names(stands)) == "");
  PriceSearch search(terms, goods, names(stands), "market", 7, at(0s));
  while (!search.over()) play_round(search, stands);
  const std::vector<std::string> faults = retrace(search.record());
  BOOST_TEST(faults.empty(), (faults.empty() ? "" : faults.front()));
  return search.record();
}

std::vector<Stand> Exchange::stands() const {
  std::vector<Stand> all;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    Preferences likes;
    Basket owned;
    for (std::size_t good = 0; good < goods.size(); ++good) {
      likes.shares[goods[good]] = shares[i][good];
      owned[goods[good]] = has[i][good];
    }
    all.push_back(consumer("consumer " + std::to_string(i), likes, owned));
  }
  return all;
}

// For each good but the first, the total spending on the good equals the value of its total
// quantity. The method is Gauss' elimination.
std::vector<double> Exchange::prices() const {
  const std::size_t count = goods.size();
  std::vector<std::vector<double>> rows;
  for (std::size_t good = 1; good < count; ++good) {
    std::vector<double> row(count, 0);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      double sum = 0;
      for (const double each : shares[i]) sum += each;
      for (std::size_t other = 0; other < count; ++other) {
        row[other] += shares[i][good] / sum * has[i][other];
      }
      row[good] -= has[i][good];
    }
    rows.push_back(row);
  }
  // Columns 1 to count - 1 are unknown; column 0 is known, because its price is 1.
  for (std::size_t i = 0; i + 1 < count; ++i) {
    std::size_t pivot = i;
    for (std::size_t j = i; j + 1 < count; ++j) {
      if (std::abs(rows[j][i + 1]) > std::abs(rows[pivot][i + 1])) pivot = j;
    }
    std::swap(rows[i], rows[pivot]);
    for (std::size_t j = 0; j + 1 < count; ++j) {
      if (j == i) continue;
      const double factor = rows[j][i + 1] / rows[i][i + 1];
      for (std::size_t k = 0; k < count; ++k) rows[j][k] -= factor * rows[i][k];
    }
  }
  std::vector<double> prices = {1};
  for (std::size_t i = 0; i + 1 < count; ++i) prices.push_back(-rows[i][0] / rows[i][i + 1]);
  return prices;
}

Exchange some_exchange(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto number = [&random] { return static_cast<double>(1 + random() % 100); };
  Exchange exchange;
  const std::size_t goods = 2 + random() % 4;
  const std::size_t consumers = 2 + random() % 5;
  for (std::size_t good = 0; good < goods; ++good) {
    exchange.goods.push_back("good " + std::to_string(good));
  }
  for (std::size_t i = 0; i < consumers; ++i) {
    std::vector<double> shares;
    std::vector<double> has;
    for (std::size_t good = 0; good < goods; ++good) {
      shares.push_back(number());
      has.push_back(number());
    }
    exchange.shares.push_back(shares);
    exchange.has.push_back(has);
  }
  return exchange;
}

}  // namespace coracle::caf::bazaar
