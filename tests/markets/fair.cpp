#include "fair.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace coracle::caf::test {

using coracle::test::Crash;

namespace {

class Guest : public Consumer {
 public:
  Guest(Visitor visitor, Diary& refusals)
      : Consumer(visitor.likes, visitor.has, visitor.holdings),
        visitor_(std::move(visitor)),
        refusals_(refusals) {}

  Task<> run() override {
    for (;;) {
      const Message message = co_await receive();
      const Content content = message.content();
      const Quote* quote = content.try_as<Quote>();
      if (quote != nullptr && quote->round >= visitor_.dies_at) throw Crash("a trader dies");
      if (quote != nullptr && quote->round >= visitor_.silent_from) continue;
      (void)co_await attend(message);
    }
  }

 protected:
  Curve bid(const Quote& quote) override {
    return visitor_.bids ? visitor_.bids(quote) : Consumer::bid(quote);
  }
  void on_refusal(const Refusal& refusal) override {
    refusals_.note(name().str() + ": " + refusal.what + ": " + refusal.reason);
  }

 private:
  Visitor visitor_;
  Diary& refusals_;
};

}  // namespace

void Fair::run(MarketTerms terms, std::vector<Good> goods, std::vector<Visitor> visitors,
               std::vector<std::pair<std::string, Technology>> producers,
               coracle::test::Body body) {
  Place::run([=, this](Agent& me) -> Task<> {
    std::vector<std::string> names;
    for (const Visitor& each : visitors) {
      names.push_back(each.name);
      auto guest = std::make_unique<Guest>(each, refusals_);
      co_await place(me, each.name, std::move(guest));
    }
    for (const auto& [name, technology] : producers) {
      names.push_back(name);
      auto producer = std::make_unique<Producer>(technology);
      co_await place(me, name, std::move(producer));
    }
    for (const Good& each : goods) {
      if (each.auctioneer == "nobody") continue;
      auto auctioneer = std::make_unique<Auctioneer>();
      co_await place(me, each.auctioneer, std::move(auctioneer));
    }
    auto market = std::make_unique<Market>(terms, goods, names, random_);
    co_await place(me, "market", std::move(market));
    co_await body(me);
  });
}

void Fair::run(MarketTerms terms, std::vector<Visitor> visitors, coracle::test::Body body) {
  run(std::move(terms), {good("apples"), good("pears")}, std::move(visitors), {}, std::move(body));
}

Task<MarketRecord> traced_record(Agent& me, TradeId id) {
  const Content request = Content::of(MarketRecordRequest{id});
  const Message answer = co_await me.ask("market", request);
  const Content content = answer.content();
  MarketRecord record = content.as<MarketRecord>();
  const std::vector<std::string> faults = retrace(record);
  expect(faults.empty(), faults.empty() ? "" : faults.front());
  co_return record;
}

Good good(const std::string& name, double price) { return {name, "auction/" + name, price}; }

void expect_near(double found, double wanted, const std::string& what) {
  expect(std::abs(found - wanted) <= 1e-7 * std::max(1.0, std::abs(wanted)),
         what + " is " + std::to_string(found) + ", not " + std::to_string(wanted));
}

}  // namespace coracle::caf::test
