// An English or a Dutch auction on the auctioneer's side. It sends nothing and has no clock.
// Tests: acl/tests/protocols/auction_test.cpp.
#pragma once

#include "coracle/acl/protocols/initiation.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace coracle::acl {

// The phase of an auction.
enum class AuctionPhase : std::uint8_t {
  idle,      // before the next call: call() or close()
  bidding,   // bids are taken
  choosing,  // a call is over: award() if there are bids, call(), or close()
  over,
};

// The auction. In an English auction, a call is over when all bidders have bid or its time has
// ended. In a Dutch auction, it is over when the first one has bid, or when its time has ended.
class Auction {
 public:
  // Begins with an announcement: an inform with the bidders as its receivers. `protocol` is that of
  // one of the two auctions. Fails as Initiation does.
  Auction(const Protocol& protocol, Message announcement, const MessageIds& ids,
          const Calendar& calendar, Time now);

  AuctionPhase phase() const noexcept { return phase_; }
  // The conversation with the bidders, for their names, messages and deadlines.
  const Initiation& conversation() const noexcept { return conversation_; }
  std::vector<Initiation::Outgoing> take_outgoing() noexcept {
    return conversation_.take_outgoing();
  }
  // The number of calls, and the sessions that have bid in the last one, in the order of their
  // bids.
  std::size_t calls() const noexcept { return calls_; }
  const std::vector<std::size_t>& bids() const noexcept { return bids_; }
  // The session whose bid was accepted last; empty if none was.
  std::optional<std::size_t> leader() const noexcept { return leader_; }

  // Takes a message of anybody.
  Initiation::Hearing hear(const Message& message, Time now);
  // Does everything that is due.
  void on_time(Time now);
  // Calls for bids at a price, which `content` names. Bids of the last call that were not accepted
  // are rejected. Returns false in AuctionPhase::bidding and over, and if no bidder is left.
  bool call(Body content, Duration bid_within, Time now);
  // Accepts a bid of the last call, and rejects the others. Returns false if there is no such bid.
  bool award(std::size_t session, Body content, Time now);
  // Ends the auction: the bidders are informed.
  void close(Body content, Time now);
  // Ends a session without a message.
  void end(std::size_t session, Outcome outcome, Time now);

 private:
  void go_on();
  void reject_others(Time now);

  Initiation conversation_;
  bool is_dutch_;
  AuctionPhase phase_ = AuctionPhase::idle;
  std::size_t calls_ = 0;
  std::vector<std::size_t> bids_;
  std::optional<std::size_t> leader_;
};

}  // namespace coracle::acl
