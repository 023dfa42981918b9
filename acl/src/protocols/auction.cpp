#include "coracle/acl/protocols/auction.hpp"

#include <algorithm>
#include <utility>

namespace coracle::acl {

using Act = Performative;

Auction::Auction(const Protocol& protocol, Message announcement, const MessageIds& ids,
                 const Calendar& calendar, Time now)
    : conversation_(protocol, std::move(announcement), ids, {}, calendar, now),
      is_dutch_(&protocol == &dutch_auction_protocol) {}

Initiation::Hearing Auction::hear(const Message& message, Time now) {
  on_time(now);
  const Initiation::Hearing hearing = conversation_.hear(message, now);
  if (hearing.heard != Heard::taken || message.performative != Act::propose) {
    go_on();
    return hearing;
  }
  if (phase_ == AuctionPhase::idle) {
    // The goods of this call are sold already.
    (void)conversation_.say(hearing.session, {Act::reject_proposal}, now);
  } else {
    bids_.push_back(hearing.session);
  }
  go_on();
  return hearing;
}

void Auction::on_time(Time now) {
  conversation_.on_time(now);
  go_on();
}

// A call is over when nobody is left whose bid it waits for, or with the first Dutch bid.
void Auction::go_on() {
  // A bid that has expired is none.
  std::erase_if(bids_, [&](std::size_t each) {
    return conversation_.sessions()[each].state() != State::proposed;
  });
  const bool is_called = phase_ == AuctionPhase::bidding;
  const bool is_decided = (is_dutch_ && !bids_.empty()) || conversation_.count(State::asked) == 0;
  if (is_called && is_decided) phase_ = AuctionPhase::choosing;
  if (phase_ != AuctionPhase::over && conversation_.is_over()) phase_ = AuctionPhase::over;
}

void Auction::reject_others(Time now) {
  for (const std::size_t each : std::exchange(bids_, {})) {
    (void)conversation_.say(each, {Act::reject_proposal}, now);
  }
}

bool Auction::call(Body content, Duration bid_within, Time now) {
  on_time(now);
  if (phase_ == AuctionPhase::bidding || phase_ == AuctionPhase::over) return false;
  reject_others(now);
  const std::size_t called =
      conversation_.say_to_all({Act::cfp, std::move(content), bid_within}, now);
  if (called == 0) return false;
  ++calls_;
  phase_ = AuctionPhase::bidding;
  return true;
}

bool Auction::award(std::size_t session, Body content, Time now) {
  on_time(now);
  const auto bid = std::ranges::find(bids_, session);
  if (phase_ != AuctionPhase::choosing || bid == bids_.end()) return false;
  if (!conversation_.say(session, {Act::accept_proposal, std::move(content)}, now)) return false;
  bids_.erase(bid);
  leader_ = session;
  reject_others(now);
  phase_ = AuctionPhase::idle;
  return true;
}

void Auction::close(Body content, Time now) {
  if (phase_ == AuctionPhase::over) return;
  on_time(now);
  reject_others(now);
  (void)conversation_.say_to_all({Act::inform, std::move(content)}, now);
  conversation_.end_all(Outcome::closed);
  phase_ = AuctionPhase::over;
}

void Auction::end(std::size_t session, Outcome outcome, Time now) {
  conversation_.end(session, outcome);
  on_time(now);
}

}  // namespace coracle::acl
