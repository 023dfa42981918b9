// A market after Wellman's WALRAS: goods, an auction for each, traders, and prices that change
// until nobody wants more than there is. Contract: tests/markets/markets_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/price_search.hpp"
#include "coracle/receipt.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace coracle::caf {

// The agent that calls the auctions, round by round, until they have found prices that balance all
// goods, or it gives up. Anybody asks it by hold_trade(), or by ask() with a TradeRequest; one
// trade is under way at a time, and further requests wait.
class Market : public virtual Agent {
 public:
  // Fails with Errc::bad_options: no goods, a name that stands there twice, a price that is none …
  // The numbers of its trades begin at a random one.
  Market(MarketTerms terms, std::vector<Good> goods, std::vector<std::string> traders,
         Random& random = machine_random());

  // It ends when that many trades were made known; otherwise never by itself.
  Market& close_after(std::uint64_t trades) { return left_to_hold_ = trades, *this; }

  // Trades until then, or until its node stops.
  Task<> run() override;

 protected:
  // Told of each record when its trade is over.
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
  std::map<std::uint32_t, Receipt> told_;  // traders, of what they got
  std::deque<MarketRecord> records_;
  std::uint64_t left_to_hold_ = UINT64_MAX;
};

// Has `market` find prices, from its own or from given ones. Fails as Agent::ask() does: with
// Errc::refused and the reason for prices that are none.
Task<MarketResult> hold_trade(Agent& self, Name market, std::vector<double> prices = {},
                              Deadline deadline = Deadline::never());

}  // namespace coracle::caf
