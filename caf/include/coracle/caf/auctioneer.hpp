// Who sells a good for a market: asks its traders for their bids, and says which price balances
// them. Contract: tests/markets/markets_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/good_auction.hpp"

#include <map>
#include <string>
#include <vector>

namespace coracle::caf {

// An agent that has the auction of a good, for several markets at once if they call it.
class Auctioneer : public virtual Agent {
 public:
  // Sells until retire(), or until its node stops.
  Task<> run() override;

 protected:
  // Told when a market has no more rounds for it.
  virtual void on_closed(TradeId id);
  // run() returns once the present message is dealt with.
  void retire() noexcept { retired_ = true; }

 private:
  struct Sale {
    Name market;
    GoodAuction auction;
    std::vector<Address> traders;
    std::vector<Incident> late;  // since the last clearing
    bool is_told = false;        // the market, of how it ended
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
