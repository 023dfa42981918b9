#include "coracle/caf/markets/good_auction.hpp"

#include "trading.hpp"

#include <algorithm>

namespace coracle::caf {

std::string fault_of(const AuctionCall& call) {
  if (call.prices.goods.size() > goods_limit || call.traders.size() > traders_limit) {
    return "there are too many goods or traders";
  }
  if (call.prices.goods.size() != call.prices.prices.size()) return "not every good has a price";
  if (!call.prices.price_of(call.good)) return "'" + call.good.substr(0, 80) + "' has no price";
  for (const double each : call.prices.prices) {
    if (!is_price(each)) return "a price is not above zero";
  }
  if (!is_price(call.how.lowest) || !is_price(call.how.highest) ||
      call.how.lowest > call.how.highest || !(call.how.pace > 0 && call.how.pace <= 1)) {
    return "prices cannot be changed in that way";
  }
  for (const std::uint32_t each : call.gone) {
    if (each >= call.traders.size()) return "a trader that has left is not on the list of traders";
  }
  for (const std::string& each : call.traders) {
    std::string fault = fault_of_name(each);
    if (!fault.empty()) return fault;
  }
  if (call.within <= Duration::zero()) return "there is no time for it";
  return {};
}

GoodAuction::GoodAuction(AuctionCall call, Time now)
    : call_(std::move(call)), begin_(now), deadline_(Deadline(call_.within).at(now)) {
  const std::size_t count = call_.traders.size();
  bids_.resize(count);
  given_up_.resize(count, false);
  for (const std::uint32_t each : call_.gone) given_up_[each] = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!given_up_[i]) numbers_.emplace(call_.traders[i], i);
  }
  waiting_for_ = numbers_.size();
  closed_ = waiting_for_ == 0;
}

std::optional<std::uint32_t> GoodAuction::find(std::string_view trader) const {
  const auto found = numbers_.find(std::string(trader));
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

std::string GoodAuction::refuse(std::string_view who, std::string reason, Time now) {
  if (incidents_.size() < incidents_limit) {
    incidents_.push_back({std::string(who), "bid", reason, now - begin_});
  }
  return reason;
}

void GoodAuction::answered() {
  if (--waiting_for_ == 0) closed_ = true;
}

std::string GoodAuction::bid(std::string_view who, const CurveBid& bid, Time now) {
  on_time(now);
  const std::optional<std::uint32_t> number = find(who);
  if (!number) return refuse(who, "you do not trade here", now);
  if (bid.round != call_.round) {
    return refuse(who,
                  "it is for round " + std::to_string(bid.round) + ", and now it is round " +
                      std::to_string(call_.round),
                  now);
  }
  if (bid.good != call_.good) return refuse(who, "another good is sold here", now);
  if (bids_[*number] == bid.curve) return {};
  if (bids_[*number]) return refuse(who, "you have bid already, and otherwise", now);
  if (closed_) return refuse(who, "it is too late: the auction of that round is over", now);
  std::string fault = fault_of(bid.curve);
  if (!fault.empty()) return refuse(who, std::move(fault), now);
  bids_[*number] = bid.curve;
  answered();
  return {};
}

void GoodAuction::give_up(std::uint32_t trader, std::string_view why, Time now) {
  if (closed_ || bids_[trader] || given_up_[trader]) return;
  given_up_[trader] = true;
  if (incidents_.size() < incidents_limit) {
    incidents_.push_back({call_.traders[trader], "silence", std::string(why), now - begin_});
  }
  answered();
}

void GoodAuction::on_time(Time now) {
  if (now >= deadline_) closed_ = true;
}

Clearing GoodAuction::clearing() const {
  Clearing clearing;
  clearing.id = call_.id;
  clearing.round = call_.round;
  clearing.good = call_.good;
  for (std::uint32_t i = 0; i < bids_.size(); ++i) {
    if (bids_[i]) clearing.bids.push_back({i, *bids_[i]});
    else if (std::find(call_.gone.begin(), call_.gone.end(), i) == call_.gone.end())
      clearing.missing.push_back(i);
  }
  const double price = *call_.prices.price_of(call_.good);
  clearing.excess = excess_of(clearing.bids, price);
  clearing.volume = volume_of(clearing.bids, price);
  clearing.price = next_price(clearing.bids, price, call_.how);
  clearing.incidents = incidents_;
  return clearing;
}

}  // namespace coracle::caf
