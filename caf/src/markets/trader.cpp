#include "coracle/caf/trader.hpp"

#include "trading.hpp"

namespace coracle::caf {

namespace {

void check(const std::string& fault, const char* whose) {
  if (!fault.empty()) {
    throw Error(Errc::bad_options, std::string(whose) + " cannot trade: " + fault);
  }
}

bool is_markets(const Content& content) noexcept {
  return content.try_as<Quote>() != nullptr || content.try_as<Trades>() != nullptr ||
         content.try_as<Refusal>() != nullptr;
}

}  // namespace

Participant::Kind Trader::kind_of(std::string_view type) noexcept {
  return is_type_of<Quote, Trades, Refusal>(type) ? Kind::ordinary : Kind::foreign;
}

Task<> Trader::run() {
  const auto answer = [this](Message message) { return answer_foreign(std::move(message)); };
  while (!is_over()) {
    Message message;
    set_waits(true);
    if (is_free()) message = co_await receive();
    else message = co_await receive_meanwhile(kind_of, answer);
    set_waits(false);
    if (message && !attend_in_turn(message)) co_await answer_foreign(std::move(message));
  }
}

Task<> Trader::answer_foreign(Message message) {
  if (message.is_request()) {
    co_await refuse(message, "a trader answers the quotes of auctioneers");
  }
}

Task<Curve> Trader::consider_quote(const Quote& quote) { co_return bid(quote); }
void Trader::on_trades(const Trades&) {}
void Trader::on_refusal(const Refusal&) {}

bool Trader::attend_in_turn(Message& message) {
  const Content content = message.content();
  if (!is_markets(content)) return is_wake(content);
  const Address market = message.source();
  in_turn(handle(std::move(message), market, content, now()));
  return true;
}

Task<bool> Trader::attend(const Message& message) {
  const Content content = message.content();
  if (!is_markets(content)) co_return is_wake(content);
  Message none;
  co_await handle(std::move(none), message.source(), content, now());
  co_return true;
}

// The message counts as consumed once this task ends.
Task<> Trader::handle([[maybe_unused]] Message kept, Address market, Content content, Time at) {
  if (const Quote* quote = content.try_as<Quote>()) {
    co_await answer_quote(market, *quote, at);
  } else if (const Trades* trades = content.try_as<Trades>()) {
    on_trades(*trades);
  } else if (const Refusal* refusal = content.try_as<Refusal>()) {
    on_refusal(*refusal);
  }
}

Task<> Trader::answer_quote(Address auctioneer, const Quote& quote, Time at) {
  // The auctioneer's own clock started earlier.
  if (quote.within > Duration::zero() && now() >= Deadline(quote.within).at(at)) {
    on_refusal({quote.id, quote.round, "bid", "its time was over before its turn came here"});
    co_return;
  }
  CurveBid bid{quote.id, quote.round, quote.good, {}};
  bid.curve = co_await consider_quote(quote);
  const Content answer = Content::of(std::move(bid));
  (void)co_await try_to_tell(*this, auctioneer, answer);
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
    // A quantity slightly below zero counts as zero.
    quantity = std::max(0.0, quantity + trades.quantities[i]);
  }
}

Producer::Producer(Technology technology) : technology_(std::move(technology)) {
  check(fault_of(technology_), "a producer");
}

Curve Producer::bid(const Quote& quote) { return curve_of(technology_, quote.prices, quote.good); }

}  // namespace coracle::caf
