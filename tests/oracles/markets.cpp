#include "answers.hpp"
#include "coracle/caf/markets/good_auction.hpp"
#include "coracle/caf/markets/price_search.hpp"

#include <iomanip>
#include <string>

namespace coracle::caf::oracles {

namespace {

double read_number(std::istream& in) {
  std::string text;
  in >> text;
  return std::stod(text);
}

std::string name_of(std::size_t good) { return "good" + std::to_string(good); }

Basket basket_of(const std::vector<double>& quantities) {
  Basket basket;
  for (std::size_t i = 0; i < quantities.size(); ++i) basket[name_of(i)] = quantities[i];
  return basket;
}

PriceList list_of_prices(const std::vector<double>& prices) {
  PriceList list;
  for (std::size_t i = 0; i < prices.size(); ++i) list.goods.push_back(name_of(i));
  list.prices = prices;
  return list;
}

struct Buyer {
  Preferences likes;
  Basket has;
};

Buyer read_buyer(std::istream& in) {
  Buyer buyer;
  buyer.likes.elasticity = read_number(in);
  buyer.likes.shares = basket_of(list_of(in, read_number));
  buyer.has = basket_of(list_of(in, read_number));
  return buyer;
}

void play_round(PriceSearch& search, const std::vector<Buyer>& buyers, Time now) {
  const std::uint32_t round = search.round();
  for (std::size_t good = 0; good < search.record().goods.size(); ++good) {
    if (search.over() || search.round() != round) return;
    const AuctionCall call = search.call_of(good);
    GoodAuction auction(call, now);
    for (std::size_t i = 0; i < buyers.size(); ++i) {
      const Curve curve = curve_of(buyers[i].likes, buyers[i].has, 0, call.prices, call.good);
      (void)auction.bid("buyer" + std::to_string(i), {call.id, call.round, call.good, curve}, now);
    }
    auction.on_time(auction.deadline());
    (void)search.hear(search.record().auctioneers[good], auction.clearing(), now);
  }
}

}  // namespace

void answer_market(std::istream& in, std::ostream& out) {
  MarketTerms terms;
  std::string adjustment;
  in >> adjustment >> terms.rounds;
  if (adjustment == "step") terms.adjustment = Adjustment::step;
  terms.tolerance = read_number(in);
  std::vector<Good> goods;
  for (const double price : list_of(in, read_number)) {
    goods.push_back({name_of(goods.size()), "auction", price});
  }
  for (Good& each : goods) each.auctioneer = "auction-of-" + each.name;
  const std::vector<Buyer> buyers = list_of(in, read_buyer);
  std::vector<std::string> traders;
  for (std::size_t i = 0; i < buyers.size(); ++i) traders.push_back("buyer" + std::to_string(i));
  const Time start(std::chrono::seconds(1));
  PriceSearch search(terms, goods, traders, "market", 1, start);
  while (!search.over()) play_round(search, buyers, start);
  const MarketResult& result = search.record().result;
  const bool is_sound = retrace(search.record()).empty();
  out << std::setprecision(17) << (is_sound ? (result.converged ? "yes" : "no") : "unsound") << ' '
      << result.rounds << ' ';
  for (const double each : result.prices.prices) out << each << ' ';
  out << '|';
  for (const std::vector<double>& each : result.quantities) {
    for (const double quantity : each) out << ' ' << quantity;
  }
}

void answer_curve(std::istream& in, std::ostream& out) {
  Preferences likes;
  likes.elasticity = read_number(in);
  std::size_t good = 0;
  in >> good;
  const double price = read_number(in);
  const PriceList prices = list_of_prices(list_of(in, read_number));
  likes.shares = basket_of(list_of(in, read_number));
  const Basket has = basket_of(list_of(in, read_number));
  const Curve curve = curve_of(likes, has, 0, prices, name_of(good));
  out << std::setprecision(17) << (fault_of(curve).empty() ? "-" : "refused") << ' '
      << curve.at(price);
}

void answer_utility(std::istream& in, std::ostream& out) {
  Preferences likes;
  likes.elasticity = read_number(in);
  likes.shares = basket_of(list_of(in, read_number));
  const Basket basket = basket_of(list_of(in, read_number));
  out << std::setprecision(17) << utility(likes, basket);
}

}  // namespace coracle::caf::oracles
