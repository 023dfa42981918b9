#include "coracle/caf/auctioneer.hpp"

#include "trading.hpp"

#include <algorithm>

namespace coracle::caf {

void Auctioneer::on_closed(TradeId) {}

Time Auctioneer::next_deadline() const noexcept {
  Time next = Time::max();
  for (const auto& [id, sale] : sales_) next = std::min(next, sale.auction.deadline());
  return next;
}

Task<> Auctioneer::run() {
  while (!retired_) {
    const Time next = next_deadline();
    const Deadline deadline = next == Time::max() ? Deadline::never() : Deadline(next);
    const std::optional<Message> message = co_await receive(deadline);
    if (message) co_await handle(*message);
    if (now() >= next) co_await on_time();
  }
}

Task<> Auctioneer::handle(const Message& message) {
  const Content content = message.content();
  if (const CurveBid* bid = content.try_as<CurveBid>()) {
    co_await on_bid(message, *bid);
  } else if (const AuctionCall* call = content.try_as<AuctionCall>()) {
    co_await on_call(message, *call);
  } else if (const MarketClosed* closed = content.try_as<MarketClosed>()) {
    const auto found = sales_.find(closed->id);
    if (found == sales_.end() || found->second.market != message.source().name()) co_return;
    sales_.erase(found);
    on_closed(closed->id);
  } else if (message.is_request()) {
    co_await refuse(message, "an auctioneer takes calls of markets, and bids");
  }
}

Task<> Auctioneer::on_call(const Message& message, const AuctionCall& call) {
  const Address market = message.source();
  std::string fault = fault_of(call);
  const auto known = sales_.find(call.id);
  if (fault.empty() && known != sales_.end()) {
    if (known->second.market != market.name()) fault = "another market has that number";
    else if (call.round <= known->second.auction.call().round) fault = "that round has been";
  } else if (fault.empty() && sales_.size() >= sales_limit) {
    // Markets that ended without notice have left their sales behind.
    std::erase_if(sales_, [](const auto& each) { return each.second.is_told; });
    if (sales_.size() >= sales_limit) fault = "too many markets have called";
  }
  if (!fault.empty()) {
    const Content refusal = Content::of(Refusal{call.id, call.round, "call", fault});
    (void)co_await try_to_tell(*this, market, refusal);
    co_return;
  }
  std::vector<Incident> late;
  std::vector<Address> traders;
  if (known != sales_.end()) {
    late = std::move(known->second.late);
    if (known->second.auction.call().traders == call.traders) {
      traders = std::move(known->second.traders);
    }
    sales_.erase(known);
  }
  if (traders.empty()) {
    for (const std::string& each : call.traders) traders.push_back(find(each));
    // All traders may reply at once.
    const std::size_t room = 1024 + 4 * traders.size();
    set_mailbox(MailboxOptions().messages(static_cast<std::uint32_t>(room)));
  }
  Sale& sale = sales_
                   .emplace(call.id, Sale{market.name(), GoodAuction(call, now()),
                                          std::move(traders), std::move(late), false})
                   .first->second;
  const Content quote =
      Content::of(Quote{call.id, call.round, call.good, call.prices, call.within});
  const TradeId id = call.id;
  // Nothing else changes the sale meanwhile: messages are handled one after the other.
  for (std::uint32_t i = 0; i < sale.traders.size(); ++i) {
    if (!sale.auction.find(call.traders[i])) continue;
    const std::string why = co_await try_to_tell(*this, sale.traders[i], quote);
    if (!why.empty()) sale.auction.give_up(i, why, now());
  }
  if (sale.auction.closed()) co_await conclude(sales_.at(id));
}

Task<> Auctioneer::on_bid(const Message& message, const CurveBid& bid) {
  const Address who = message.source();
  const auto found = sales_.find(bid.id);
  std::string fault;
  if (found == sales_.end()) {
    fault = "there is no such trade, or it is over";
  } else {
    Sale& sale = found->second;
    const bool was_closed = sale.auction.closed();
    fault = sale.auction.bid(who.name().view(), bid, now());
    if (was_closed && !fault.empty() && sale.late.size() < incidents_limit) {
      sale.late.push_back({who.name().str(), "bid", fault, {}});
    }
    if (sale.auction.closed() && !sale.is_told) co_await conclude(sale);
  }
  if (fault.empty()) co_return;
  const Content refusal = Content::of(Refusal{bid.id, bid.round, "bid", fault});
  (void)co_await try_to_tell(*this, who, refusal);
}

Task<> Auctioneer::on_time() {
  std::vector<TradeId> due;
  for (auto& [id, sale] : sales_) {
    sale.auction.on_time(now());
    if (sale.auction.closed() && !sale.is_told) due.push_back(id);
  }
  for (const TradeId id : due) co_await conclude(sales_.at(id));
}

Task<> Auctioneer::conclude(Sale& sale) {
  sale.is_told = true;
  Clearing clearing = sale.auction.clearing();
  for (Incident& each : sale.late) clearing.incidents.push_back(std::move(each));
  sale.late.clear();
  const Address market = find(sale.market);
  const Content content = Content::of(std::move(clearing));
  (void)co_await try_to_tell(*this, market, content);
}

}  // namespace coracle::caf
