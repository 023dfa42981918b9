#include "coracle/caf/trader.hpp"

#include "trading.hpp"

namespace coracle::caf {

namespace {

void check(const std::string& fault, const char* whose) {
  if (!fault.empty()) {
    throw Error(Errc::bad_options, std::string(whose) + " cannot trade: " + fault);
  }
}

}  // namespace

Task<> Trader::run() {
  while (!retired_) {
    const Message message = co_await receive();
    const bool is_ours = co_await attend(message);
    if (!is_ours && message.is_request()) {
      co_await refuse(message, "a trader answers the quotes of auctioneers");
    }
  }
}

void Trader::on_trades(const Trades&) {}
void Trader::on_refusal(const Refusal&) {}

Task<bool> Trader::attend(const Message& message) {
  const Content content = message.content();
  if (const Quote* quote = content.try_as<Quote>()) {
    const Address auctioneer = message.source();
    const Content answer = Content::of(CurveBid{quote->id, quote->round, quote->good, bid(*quote)});
    (void)co_await try_to_tell(*this, auctioneer, answer);
  } else if (const Trades* trades = content.try_as<Trades>()) {
    on_trades(*trades);
  } else if (const Refusal* refusal = content.try_as<Refusal>()) {
    on_refusal(*refusal);
  } else {
    co_return false;
  }
  co_return true;
}

Consumer::Consumer(Preferences likes, Basket has, std::vector<Holding> holdings)
    : likes_(std::move(likes)), has_(std::move(has)), holdings_(std::move(holdings)) {
  check(fault_of(likes_), "a consumer");
  check(fault_of(has_), "a consumer");
  for (const Holding& each : holdings_) {
    check(fault_of(each.technology), "a consumer with a part of a producer");
    check(each.share >= 0 && each.share <= 1 ? "" : "a part is from 0 to 1", "a consumer");
  }
}

Curve Consumer::bid(const Quote& quote) {
  double income = 0;
  for (const Holding& each : holdings_) {
    income += each.share * profit(each.technology, quote.prices);
  }
  return curve_of(likes_, has_, income, quote.prices, quote.good);
}

void Consumer::on_trades(const Trades& trades) {
  if (!trades.converged || trades.quantities.size() != trades.prices.goods.size()) return;
  for (std::size_t i = 0; i < trades.quantities.size(); ++i) {
    if (trades.quantities[i] == 0) continue;
    double& quantity = has_[trades.prices.goods[i]];
    // Somewhat less than nothing is nothing.
    quantity = std::max(0.0, quantity + trades.quantities[i]);
  }
}

Producer::Producer(Technology technology) : technology_(std::move(technology)) {
  check(fault_of(technology_), "a producer");
}

Curve Producer::bid(const Quote& quote) { return curve_of(technology_, quote.prices, quote.good); }

}  // namespace coracle::caf
