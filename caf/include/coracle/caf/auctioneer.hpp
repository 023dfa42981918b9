// An agent that sells a good for a market: it requests bids from its traders, and reports the price
// that balances them. Tests: tests/markets/markets_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/markets/good_auction.hpp"

#include <map>
#include <string>
#include <vector>

namespace coracle::caf {

// An agent that runs the auction of a good, for several markets at once if they call it.
class Auctioneer : public virtual Agent {
 public:
  // Sells until retire() is called, or until its node stops.
  Task<> run() override;

 protected:
  // Called when a market has no more rounds for this auctioneer.
  virtual void on_closed(TradeId id);
  // Makes run() return after the present message has been handled.
  void retire() noexcept { retired_ = true; }

 private:
  struct Sale {
    Name market;
    GoodAuction auction;
    std::vector<Address> traders;
    std::vector<Incident> late;  // incidents since the last clearing
    bool is_told = false;        // true if the market has been sent the clearing
  };

  Time next_deadline() const noexcept;
  Task<> handle(const Message& message);
  Task<> on_call(const Message& message, const AuctionCall& call);
  Task<> on_bid(const Message& message, const CurveBid& bid);
  Task<> on_time();
  Task<> conclude(Sale& sale);

  std::map<TradeId, Sale> sales_;
  bool retired_ = false;
};

}  // namespace coracle::caf
