// One round of the auction of one good, as a state machine. Its inputs are bids and the time; its
// output is a clearing. Auctioneer drives it. Tests: caf/tests/markets/price_search_test.cpp.
#pragma once

#include "coracle/caf/markets/trade.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coracle::caf {

// Returns the fault of an AuctionCall; empty if there is none.
std::string fault_of(const AuctionCall& call);

// Takes one bid of each trader, until all have bid or the time is over.
class GoodAuction {
 public:
  // Requires a call without a fault.
  GoodAuction(AuctionCall call, Time now);

  // The call that began the round.
  const AuctionCall& call() const noexcept { return call_; }
  // Returns the number of a trader that takes part; empty for other names.
  std::optional<std::uint32_t> find(std::string_view trader) const;

  // Handles a bid. Returns the reason if the bid has no effect, which the auction also notes;
  // otherwise nothing. A second, identical bid is harmless.
  std::string bid(std::string_view who, const CurveBid& bid, Time now);
  // Notes that a trader cannot be reached.
  void give_up(std::uint32_t trader, std::string_view why, Time now);
  // Ends the round if its deadline has passed.
  void on_time(Time now);

  // Returns true if the round is over; and the time at which it ends at the latest.
  bool closed() const noexcept { return closed_; }
  Time deadline() const noexcept { return closed_ ? Time::max() : deadline_; }
  // The result, once the round is closed.
  Clearing clearing() const;

 private:
  std::string refuse(std::string_view who, std::string reason, Time now);
  void answered();

  AuctionCall call_;
  Time begin_;
  Time deadline_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::optional<Curve>> bids_;
  std::vector<bool> given_up_;
  std::size_t waiting_for_ = 0;
  std::vector<Incident> incidents_;
  bool closed_ = false;
};

}  // namespace coracle::caf
