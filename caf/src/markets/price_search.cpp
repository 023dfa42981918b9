#include "coracle/caf/markets/price_search.hpp"

#include "trading.hpp"

#include <algorithm>
#include <set>

namespace coracle::caf {

std::string fault_of_prices(const std::vector<double>& prices, std::size_t goods) {
  if (prices.size() != goods) {
    return "there are " + std::to_string(goods) + " goods and " + std::to_string(prices.size()) +
           " prices; give one for each";
  }
  for (const double each : prices) {
    if (!(each >= lowest_price && each <= highest_price)) {
      return "a first price is not from 1e-12 to 1e12; give one that is";
    }
  }
  return {};
}

namespace {

std::string fault_of_terms(const MarketTerms& terms) {
  if (!(terms.pace > 0 && terms.pace <= 1))
    return "its pace is not above 0 and at most 1; give one that is";
  if (!(terms.tolerance > 0 && terms.tolerance <= 0.1)) {
    return "its tolerance is not above 0 and at most 0.1; give one that is";
  }
  if (terms.rounds == 0) return "it has no rounds; give at least one";
  if (terms.adjustment == Adjustment::fixed)
    return "its prices never change, so they balance nothing; take another adjustment";
  if (terms.bid_within <= Duration::zero() || terms.clear_within < terms.bid_within) {
    return "bid_within is not above zero, or clear_within is shorter than it; give bid_within some "
           "time, and clear_within at least as much";
  }
  return {};
}

}  // namespace

std::string fault_of(const MarketTerms& terms, const std::vector<Good>& goods,
                     const std::vector<std::string>& traders) {
  std::string fault = fault_of_terms(terms);
  if (!fault.empty()) return fault;
  if (goods.empty() || goods.size() > goods_limit || traders.size() > traders_limit) {
    return "it has no goods, or too many goods or traders; give it 1 to " +
           std::to_string(goods_limit) + " goods, and at most " + std::to_string(traders_limit) +
           " traders";
  }
  if (goods.size() * traders.size() > market_bids_limit / terms.rounds) {
    return "its record could have more than " + std::to_string(market_bids_limit) +
           " bids; give it fewer rounds";
  }
  std::set<std::string> seen;
  std::vector<double> prices;
  for (const Good& each : goods) {
    if (each.name.empty() || each.name.size() > 1024)
      return "the name of a good is empty or too long; give it 1 to 1024 bytes";
    if (!seen.insert(each.name).second)
      return "the good '" + each.name + "' is named twice; name it once";
    fault = fault_of_name(each.auctioneer);
    if (!fault.empty()) return fault;
    prices.push_back(each.price);
  }
  if (!terms.numeraire.empty() && seen.count(terms.numeraire) == 0) {
    return "there is no good '" + terms.numeraire +
           "' to count the others in; add it, or take one that is there";
  }
  seen.clear();
  for (const std::string& each : traders) {
    if (!seen.insert(each).second) return "the trader '" + each + "' is named twice; name it once";
    fault = fault_of_name(each);
    if (!fault.empty()) return fault;
  }
  return fault_of_prices(prices, goods.size());
}

namespace {

// The first returns whether a bid wants anything at any price; the second returns whether it offers
// anything.
bool wants(const TakenCurve& bid) {
  const Curve& curve = bid.curve;
  return (curve.share > 0 && curve.money + curve.endowment > 0) || curve.factor > 0 ||
         (!curve.points.empty() && curve.points.front().quantity > 0);
}

bool offers(const TakenCurve& bid) {
  const Curve& curve = bid.curve;
  return curve.endowment > 0 || curve.factor < 0 ||
         (!curve.points.empty() && curve.points.back().quantity < 0);
}

}  // namespace

PriceSearch::PriceSearch(MarketTerms terms, const std::vector<Good>& goods,
                         std::vector<std::string> traders, std::string market, TradeId id, Time now,
                         std::vector<std::uint32_t> absent)
    : begin_(now), gone_(absent) {
  record_.id = id;
  record_.market = std::move(market);
  record_.terms = std::move(terms);
  record_.traders = std::move(traders);
  record_.absent = std::move(absent);
  for (const Good& each : goods) {
    if (each.name == record_.terms.numeraire) numeraire_ = record_.goods.size();
    record_.goods.push_back(each.name);
    record_.auctioneers.push_back(each.auctioneer);
    prices_.push_back(each.price);
  }
  begin_round(now);
  if (gone_.size() == record_.traders.size()) end(false, "nobody trades");
}

void PriceSearch::begin_round(Time now) {
  ++round_;
  cleared_.assign(prices_.size(), std::nullopt);
  deadline_ = Deadline(record_.terms.clear_within).at(now);
}

AuctionCall PriceSearch::call_of(std::size_t good) const {
  AuctionCall call;
  call.id = record_.id;
  call.round = round_;
  call.good = record_.goods[good];
  call.prices = {record_.goods, prices_};
  call.traders = record_.traders;
  call.gone = gone_;
  call.how = adjusting_of(record_.terms, numeraire_, good, prices_[numeraire_]);
  call.within = record_.terms.bid_within;
  return call;
}

void PriceSearch::note(Incident incident) {
  if (record_.incidents.size() < incidents_limit) record_.incidents.push_back(std::move(incident));
}

std::string PriceSearch::refuse(std::string_view who, std::string_view what, std::string reason,
                                Time now) {
  note({std::string(who), std::string(what), reason, now - begin_});
  return reason;
}

std::string PriceSearch::fault_of(std::size_t good, const Clearing& clearing) const {
  const Adjusting how = adjusting_of(record_.terms, numeraire_, good, prices_[numeraire_]);
  if (!(clearing.price >= how.lowest && clearing.price <= how.highest)) {
    return "its price is out of bounds";
  }
  std::vector<bool> seen(record_.traders.size(), false);
  for (const std::uint32_t each : gone_) seen[each] = true;
  const auto is_new = [&seen](std::uint32_t trader) {
    if (trader >= seen.size() || seen[trader]) return false;
    seen[trader] = true;
    return true;
  };
  for (const TakenCurve& each : clearing.bids) {
    if (!is_new(each.trader)) return "it has a bid of an unknown trader, or two of one trader";
    std::string fault = caf::fault_of(each.curve);
    if (!fault.empty()) return "it has a bid that cannot be taken: " + fault;
  }
  for (const std::uint32_t each : clearing.missing) {
    if (!is_new(each)) return "a missing trader has bid, or is unknown";
  }
  return {};
}

std::string PriceSearch::hear(std::string_view who, const Clearing& clearing, Time now) {
  on_time(now);
  const auto place = std::find(record_.goods.begin(), record_.goods.end(), clearing.good);
  const auto good = static_cast<std::size_t>(place - record_.goods.begin());
  if (place == record_.goods.end() || record_.auctioneers[good] != who) {
    return refuse(who, "clearing", "you do not have the auction of that good", now);
  }
  if (over_ || clearing.id != record_.id) {
    return refuse(who, "clearing", "there is no such trade, or it is over", now);
  }
  if (clearing.round != round_ || cleared_[good]) {
    return refuse(who, "clearing", "that round is over for this good", now);
  }
  std::string fault = fault_of(good, clearing);
  if (!fault.empty()) return refuse(who, "clearing", std::move(fault), now);
  for (const Incident& each : clearing.incidents) note(each);
  cleared_[good] = ClearedGood{prices_[good],  clearing.excess, clearing.volume,
                               clearing.price, clearing.bids,   clearing.missing};
  const bool is_complete = std::all_of(cleared_.begin(), cleared_.end(),
                                       [](const auto& each) { return each.has_value(); });
  if (is_complete) end_round(now);
  return {};
}

void PriceSearch::end_round(Time now) {
  MarketRound round;
  std::set<std::uint32_t> missing;
  bool is_balanced = true;
  for (std::size_t good = 0; good < cleared_.size(); ++good) {
    ClearedGood& one = *cleared_[good];
    const Adjusting how = adjusting_of(record_.terms, numeraire_, good, prices_[numeraire_]);
    is_balanced &=
        is_cleared(one.excess, one.volume, one.price, how.lowest, record_.terms.tolerance);
    missing.insert(one.missing.begin(), one.missing.end());
    round.goods.push_back(std::move(one));
  }
  record_.rounds.push_back(std::move(round));
  for (const std::uint32_t each : missing) {
    note({record_.traders[each], "silence", "it has not bid in time, and is gone", now - begin_});
    gone_.push_back(each);
  }
  if (gone_.size() == record_.traders.size()) return end(false, "all traders are gone");
  if (is_balanced && missing.empty()) return end(true, {});
  const std::vector<ClearedGood>& goods = record_.rounds.back().goods;
  const bool is_moving =
      !missing.empty() || std::any_of(goods.begin(), goods.end(),
                                      [](const auto& each) { return each.next != each.price; });
  if (!is_moving || round_ >= record_.terms.rounds) {
    std::string why = imbalance(is_moving);
    return end(false, std::move(why));
  }
  for (std::size_t good = 0; good < goods.size(); ++good) prices_[good] = goods[good].next;
  begin_round(now);
}

// Returns why the goods of the last round are not balanced, and what can be done about it.
std::string PriceSearch::imbalance(bool is_moving) const {
  const std::vector<ClearedGood>& goods = record_.rounds.back().goods;
  for (std::size_t good = 0; good < goods.size(); ++good) {
    const ClearedGood& one = goods[good];
    const std::string name = "'" + record_.goods[good].substr(0, 80) + "'";
    if (one.excess > 0 && std::none_of(one.bids.begin(), one.bids.end(), offers)) {
      return name +
             " is wanted at any price, and nobody offers it; invite a trader that has it, or "
             "leave it out";
    }
    if (good == numeraire_ && one.excess < 0 &&
        std::none_of(one.bids.begin(), one.bids.end(), wants)) {
      return "nobody wants " + name +
             ", in which prices are counted, so that its price cannot fall; "
             "count in a good that is wanted";
    }
  }
  if (is_moving) {
    return "prices do not balance all goods after " + std::to_string(round_) +
           " rounds; give it more, or a smaller pace";
  }
  return "prices do not balance all goods, and do not change any more after " +
         std::to_string(round_) + " rounds; begin with other prices, or allow a larger tolerance";
}

void PriceSearch::give_up(std::size_t good, std::string_view why, Time now) {
  if (over_) return;
  note({record_.auctioneers[good], "silence", std::string(why), now - begin_});
  end(false,
      "the auctioneer of " + record_.goods[good] + " cannot be reached: " + std::string(why));
}

void PriceSearch::on_time(Time now) {
  if (over_ || now < deadline_) return;
  for (std::size_t good = 0; good < cleared_.size(); ++good) {
    if (!cleared_[good]) return give_up(good, "it has not answered in time", now);
  }
}

void PriceSearch::end(bool converged, std::string why) {
  over_ = true;
  record_.result = result_of(record_, prices_);
  record_.result.converged = converged;
  record_.result.why = std::move(why);
  if (!converged) record_.result.quantities.clear();
}

bool PriceSearch::is_gone(std::size_t trader) const noexcept {
  return std::find(gone_.begin(), gone_.end(), trader) != gone_.end();
}

Trades PriceSearch::trades_of(std::size_t trader) const {
  Trades trades;
  trades.id = record_.id;
  trades.converged = record_.result.converged;
  trades.prices = record_.result.prices;
  if (trades.converged) trades.quantities = record_.result.quantities[trader];
  return trades;
}

}  // namespace coracle::caf
