#include "coracle/caf/markets/market_record.hpp"

#include "trading.hpp"

#include <algorithm>
#include <cmath>

namespace coracle::caf {

namespace {

using Faults = std::vector<std::string>;

// Powers may differ in their last digits between machines.
bool same(double a, double b, double measure) {
  return std::abs(a - b) <= 1e-9 * std::max({std::abs(a), std::abs(b), measure});
}

std::string place_of(std::size_t round, const std::string& good) {
  return "round " + std::to_string(round + 1) + ", " + good + ": ";
}

std::string fault_of_bids(const ClearedGood& one, std::vector<bool> gone) {
  const auto is_new = [&gone](std::uint32_t trader) {
    if (trader >= gone.size() || gone[trader]) return false;
    gone[trader] = true;
    return true;
  };
  for (const TakenCurve& each : one.bids) {
    if (!is_new(each.trader))
      return "a bid is of an unknown trader, of one that has left, or a second one of the same "
             "trader";
    const std::string fault = fault_of(each.curve);
    if (!fault.empty()) return "a bid that should not have been taken: " + fault;
  }
  for (const std::uint32_t each : one.missing) {
    if (!is_new(each)) return "a missing trader has bid, or is unknown";
  }
  if (std::find(gone.begin(), gone.end(), false) != gone.end())
    return "a trader is neither a bidder nor missing";
  return {};
}

// Returns the fault of one good in one round.
std::string fault_of(const ClearedGood& one, const Adjusting& how, const std::vector<bool>& gone) {
  if (!is_price(one.price) || !is_price(one.next)) return "a price is not valid";
  std::string fault = fault_of_bids(one, gone);
  if (!fault.empty()) return fault;
  const double volume = volume_of(one.bids, one.price);
  if (!same(volume, one.volume, 0)) return "the volume is not that of the bids";
  if (!same(excess_of(one.bids, one.price), one.excess, volume)) {
    return "the excess is not that of the bids";
  }
  if (!same(next_price(one.bids, one.price, how), one.next, 0)) {
    return "another price should follow";
  }
  return {};
}

std::size_t numeraire_of(const MarketRecord& record) {
  const auto found = std::find(record.goods.begin(), record.goods.end(), record.terms.numeraire);
  return found == record.goods.end() ? 0 : static_cast<std::size_t>(found - record.goods.begin());
}

// Finds the faults of the rounds, and the traders that are gone after them.
void check_rounds(const MarketRecord& record, std::vector<bool>& gone, Faults& faults) {
  const std::size_t numeraire = numeraire_of(record);
  for (std::size_t round = 0; round < record.rounds.size(); ++round) {
    const std::vector<ClearedGood>& goods = record.rounds[round].goods;
    if (goods.size() != record.goods.size()) {
      faults.push_back("round " + std::to_string(round + 1) + " is not of all goods");
      return;
    }
    std::vector<bool> leaving = gone;
    for (std::size_t good = 0; good < goods.size(); ++good) {
      const ClearedGood& one = goods[good];
      const Adjusting how = adjusting_of(record.terms, numeraire, good, goods[numeraire].price);
      const std::string fault = fault_of(one, how, gone);
      if (!fault.empty()) faults.push_back(place_of(round, record.goods[good]) + fault);
      if (round > 0 && record.rounds[round - 1].goods[good].next != one.price) {
        faults.push_back(place_of(round, record.goods[good]) +
                         "the price is not the one that followed");
      }
      for (const std::uint32_t each : one.missing) {
        if (each < leaving.size()) leaving[each] = true;
      }
    }
    gone = leaving;
  }
}

// Returns whether the last round balances all goods, and no trader has left in it.
bool is_balanced(const MarketRecord& record) {
  if (record.rounds.empty()) return false;
  const std::vector<ClearedGood>& goods = record.rounds.back().goods;
  const Adjusting how = adjusting_of(record.terms, 0, 0, goods[numeraire_of(record)].price);
  return std::all_of(goods.begin(), goods.end(), [&](const ClearedGood& each) {
    return each.missing.empty() &&
           is_cleared(each.excess, each.volume, each.price, how.lowest, record.terms.tolerance);
  });
}

}  // namespace

namespace {

// Distributes a surplus: every trader that offers the good keeps the same share of its offer.
void keep_surplus(const ClearedGood& one, std::size_t good, double tolerance,
                  MarketResult& result) {
  if (one.excess >= -tolerance * one.volume) return;
  double offered = 0;
  for (const std::vector<double>& each : result.quantities) offered -= std::min(0.0, each[good]);
  const double sold = std::max(0.0, 1 + one.excess / offered);
  for (std::vector<double>& each : result.quantities) {
    if (each[good] < 0) each[good] *= sold;
  }
}

}  // namespace

double MarketResult::quantity(std::string_view trader, std::string_view good) const {
  const auto found = std::find(traders.begin(), traders.end(), trader);
  const auto place = static_cast<std::size_t>(found - traders.begin());
  const std::optional<std::size_t> column = prices.find(good);
  if (!column || place >= quantities.size()) return 0;
  return quantities[place][*column];
}

Adjusting adjusting_of(const MarketTerms& terms, std::size_t numeraire, std::size_t good,
                       double price_of_numeraire) {
  Adjusting how;
  how.kind = good == numeraire ? Adjustment::fixed : terms.adjustment;
  how.pace = terms.pace;
  how.lowest = lowest_price * price_of_numeraire;
  how.highest = highest_price * price_of_numeraire;
  return how;
}

MarketResult result_of(const MarketRecord& record, const std::vector<double>& prices) {
  MarketResult result;
  result.id = record.id;
  result.rounds = static_cast<std::uint32_t>(record.rounds.size());
  result.prices = {record.goods, prices};
  result.prices.prices.resize(record.goods.size());
  result.traders = record.traders;
  if (record.rounds.empty()) return result;
  const std::vector<ClearedGood>& goods = record.rounds.back().goods;
  result.quantities.assign(record.traders.size(), std::vector<double>(goods.size(), 0));
  for (std::size_t good = 0; good < goods.size(); ++good) {
    result.prices.prices[good] = goods[good].price;
    result.excess.push_back(goods[good].excess);
    for (const TakenCurve& each : goods[good].bids) {
      result.quantities[each.trader][good] = each.curve.at(goods[good].price);
    }
    keep_surplus(goods[good], good, record.terms.tolerance, result);
  }
  return result;
}

std::vector<std::string> retrace(const MarketRecord& record) {
  if (record.goods.empty()) return {"there are no goods"};
  Faults faults;
  std::vector<bool> gone(record.traders.size(), false);
  for (const std::uint32_t each : record.absent) {
    if (each >= gone.size()) return {"an absent trader is unknown"};
    gone[each] = true;
  }
  check_rounds(record, gone, faults);
  if (!faults.empty()) return faults;
  MarketResult again = result_of(record, record.result.prices.prices);
  const MarketResult& said = record.result;
  if (said.converged != is_balanced(record)) {
    faults.emplace_back(said.converged ? "its last round does not balance all goods"
                                       : "its last round balances all goods");
  }
  if (!said.converged) again.quantities.clear();
  if (said.id != again.id || said.rounds != again.rounds || said.traders != again.traders ||
      said.prices.goods != record.goods) {
    faults.emplace_back("the result is of another trade");
    return faults;
  }
  bool is_same = said.prices == again.prices && said.excess == again.excess &&
                 said.quantities.size() == again.quantities.size();
  for (std::size_t i = 0; is_same && i < said.quantities.size(); ++i) {
    is_same = said.quantities[i].size() == again.quantities[i].size() &&
              std::equal(said.quantities[i].begin(), said.quantities[i].end(),
                         again.quantities[i].begin(),
                         [](double a, double b) { return same(a, b, 1e-9); });
  }
  if (!is_same) faults.emplace_back("prices or quantities are not those of the last round");
  return faults;
}

}  // namespace coracle::caf
