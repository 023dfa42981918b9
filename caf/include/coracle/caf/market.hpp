// A market after Wellman's WALRAS: goods, an auction for each good, traders, and prices that change
// until nobody wants more than there is. Tests: tests/markets/markets_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/markets/price_search.hpp"
#include "coracle/receipt.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace coracle::caf {

// The agent that calls the auctions, round by round, until they have found prices that balance all
// goods, or until it gives up. An agent requests a trade by hold_trade(), or by ask() with a
// TradeRequest. One trade is in progress at a time; further requests wait.
class Market : public virtual Agent {
 public:
  // Fails with Errc::bad_options for no goods, a name that occurs twice, an invalid price and so
  // on. The numbers of its trades begin at a random number.
  Market(MarketTerms terms, std::vector<Good> goods, std::vector<std::string> traders,
         Random& random = machine_random());

  // Makes the market end after it has announced the results of `trades` trades. By default it never
  // ends by itself.
  Market& close_after(std::uint64_t trades) { return left_to_hold_ = trades, *this; }

  // Holds trades until close_after() ends it, or until its node stops.
  Task<> run() override;

 protected:
  // Called with each record when its trade is over.
  virtual void on_record(const MarketRecord& record);

 private:
  Task<> handle(Message message, PriceSearch* search);
  Task<> hold(Message request);
  Task<> call_auctions(PriceSearch& search);
  Task<> conclude(const Message& request, const PriceSearch& search);
  std::vector<std::uint32_t> absent() const;
  Task<> settle(const PriceSearch& search);
  Task<> answer(const Message& request, Content content);
  Task<> on_record_request(const Message& message, TradeId id);

  MarketTerms terms_;
  std::vector<Good> goods_;
  std::vector<std::string> traders_;
  Random& random_;
  TradeId next_id_ = 0;
  std::deque<Message> waiting_;
  std::map<std::uint32_t, Receipt> told_;  // traders that were sent their results
  std::deque<MarketRecord> records_;
  std::uint64_t left_to_hold_ = UINT64_MAX;
};

// Has `market` find prices, beginning with its own prices or with given ones. Fails as Agent::ask()
// does: with Errc::refused and the reason for invalid prices.
Task<MarketResult> hold_trade(Agent& self, Name market, std::vector<double> prices = {},
                              Deadline deadline = Deadline::never());

}  // namespace coracle::caf
