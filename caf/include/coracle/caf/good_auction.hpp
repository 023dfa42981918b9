// One round of the auction of one good, as a state machine: bids and the time go in, a clearing
// comes out. Auctioneer drives it. Contract: caf/tests/price_search_test.cpp.
#pragma once

#include "coracle/caf/trade.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coracle::caf {

// What is wrong with an AuctionCall; empty if nothing is.
std::string fault_of(const AuctionCall& call);

// Takes one bid of each trader, until all have bid or the time is over.
class GoodAuction {
 public:
  // Requires a call without a fault.
  GoodAuction(AuctionCall call, Time now);

  // What it was called for.
  const AuctionCall& call() const noexcept { return call_; }
  // The number of a trader that takes part.
  std::optional<std::uint32_t> find(std::string_view trader) const;

  // A bid: why it has no effect, which is noted, or nothing. The same one twice is harmless.
  std::string bid(std::string_view who, const CurveBid& bid, Time now);
  // A trader cannot be reached.
  void give_up(std::uint32_t trader, std::string_view why, Time now);
  // Time has passed.
  void on_time(Time now);

  // Whether it is over, and at the latest when.
  bool closed() const noexcept { return closed_; }
  Time deadline() const noexcept { return closed_ ? Time::max() : deadline_; }
  // What came of it, once it is closed.
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
