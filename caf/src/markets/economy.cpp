#include "coracle/caf/markets/economy.hpp"

#include "power_mean.hpp"

#include <algorithm>
#include <cmath>

namespace coracle::caf {

namespace {

// The least share. A smaller part of all liked goods counts as this share, because a Curve takes no
// smaller share.
constexpr double least_share = 1e-30;
// The greatest output of a producer.
constexpr double output_limit = 1e60;

bool is_quantity(double value) { return value >= 0 && value <= curve_number_limit; }

std::string not_a_quantity() { return " is negative, too large or no number; give 0 to 1e15"; }

// The traded goods except `except`, combined to one good: the share of `except`, the share of the
// combined good, both of all traded goods, and the price of the combined good.
struct Others {
  double own = 1;
  double share = 0;
  double level = 1;
};

Others others_of(const Preferences& preferences, const PriceList& prices,
                 std::string_view except = {}) {
  std::vector<Weighted> liked;
  double all = 0;
  Others others;
  for (const auto& [good, share] : preferences.shares) {
    const std::optional<double> price = prices.price_of(good);
    if (!price || share == 0) continue;
    all += share;
    if (good == except) {
      others.own = share;
      continue;
    }
    others.share += share;
    liked.push_back({*price, share});
  }
  if (liked.empty()) return {};
  // A small share still counts.
  others.own = std::max(others.own / all, least_share);
  others.share = std::max(others.share / all, least_share);
  others.level = power_mean(liked, 1 - preferences.elasticity);
  return others;
}

double limited(double value, double limit) { return std::clamp(value, -limit, limit); }

double sum_of_exponents(const Technology& technology) {
  double sum = 0;
  for (const auto& [good, exponent] : technology.inputs) sum += exponent;
  return sum;
}

// Returns the output with the greatest profit. It solves output = scale * product of input^exponent
// with each input at exponent * revenue / price.
std::optional<double> best_output(const Technology& technology, const PriceList& prices) {
  const std::optional<double> price = prices.price_of(technology.output);
  if (!price) return std::nullopt;
  double logarithm = std::log(technology.scale);
  for (const auto& [good, exponent] : technology.inputs) {
    const std::optional<double> cost = prices.price_of(good);
    if (!cost) return std::nullopt;
    if (exponent > 0) logarithm += exponent * std::log(exponent * *price / *cost);
  }
  return std::exp(limited(logarithm / (1 - sum_of_exponents(technology)), std::log(output_limit)));
}

}  // namespace

std::optional<std::size_t> PriceList::find(std::string_view good) const {
  const auto found = std::find(goods.begin(), goods.end(), good);
  if (found == goods.end()) return std::nullopt;
  return static_cast<std::size_t>(found - goods.begin());
}

std::optional<double> PriceList::price_of(std::string_view good) const {
  const std::optional<std::size_t> place = find(good);
  if (!place || *place >= prices.size()) return std::nullopt;
  return prices[*place];
}

double PriceList::worth(const Basket& basket) const {
  double sum = 0;
  for (const auto& [good, quantity] : basket) sum += quantity * price_of(good).value_or(0);
  return sum;
}

std::string fault_of(const Preferences& preferences) {
  double sum = 0;
  for (const auto& [good, share] : preferences.shares) {
    if (!is_quantity(share)) return "the share of " + good + not_a_quantity();
    sum += share;
  }
  if (sum == 0) return "no good has a share above zero; give one to at least one good";
  if (!(preferences.elasticity >= 0 && preferences.elasticity <= 100)) {
    return "its elasticity is not from 0 to 100; give one that is";
  }
  return {};
}

std::string fault_of(const Basket& endowment) {
  for (const auto& [good, quantity] : endowment) {
    if (!is_quantity(quantity)) return "the quantity of " + good + not_a_quantity();
  }
  return {};
}

std::string fault_of(const Technology& technology) {
  if (!(technology.scale > 0 && technology.scale <= curve_number_limit)) {
    return "its scale is not above 0 and at most 1e15; give one that is";
  }
  for (const auto& [good, exponent] : technology.inputs) {
    if (!is_quantity(exponent)) return "the exponent of " + good + not_a_quantity();
    if (good == technology.output) return "it makes " + good + " of itself; make it of others";
  }
  if (sum_of_exponents(technology) > 0.99)
    return "the sum of its exponents is above 0.99; give smaller ones";
  return {};
}

Basket demand(const Preferences& preferences, double money, const PriceList& prices) {
  const double level = others_of(preferences, prices).level;
  double all = 0;
  for (const auto& [good, share] : preferences.shares) {
    if (prices.price_of(good)) all += share;
  }
  Basket basket;
  for (const auto& [good, share] : preferences.shares) {
    const std::optional<double> price = prices.price_of(good);
    if (!price || share == 0) continue;
    const double spent = share / all * std::pow(*price / level, 1 - preferences.elasticity);
    basket[good] = spent * money / *price;
  }
  return basket;
}

double utility(const Preferences& preferences, const Basket& basket) {
  std::vector<Weighted> quantities;
  for (const auto& [good, share] : preferences.shares) {
    if (share == 0) continue;
    const auto found = basket.find(good);
    const double quantity = found == basket.end() ? 0 : std::max(found->second, 0.0);
    quantities.push_back({quantity / share, share});
  }
  // Near an elasticity of 1, the difference 1 - 1 / elasticity would have few digits.
  const double elasticity = preferences.elasticity;
  return power_mean(quantities, (elasticity - 1) / elasticity);
}

Basket production(const Technology& technology, const PriceList& prices) {
  const std::optional<double> output = best_output(technology, prices);
  if (!output) return {};
  const double revenue = *output * *prices.price_of(technology.output);
  Basket basket;
  for (const auto& [good, exponent] : technology.inputs) {
    basket[good] = -exponent * revenue / *prices.price_of(good);
  }
  basket[technology.output] = *output;
  return basket;
}

double profit(const Technology& technology, const PriceList& prices) {
  return prices.worth(production(technology, prices));
}

Curve curve_of(const Preferences& preferences, const Basket& endowment, double income,
               const PriceList& prices, std::string_view good) {
  Curve curve;
  const auto share = preferences.shares.find(std::string(good));
  const auto quantity = endowment.find(std::string(good));
  if (quantity != endowment.end()) curve.endowment = quantity->second;
  if (share == preferences.shares.end() || share->second == 0) return curve;
  const Others others = others_of(preferences, prices, good);
  curve.share = others.own;
  curve.others = others.share;
  curve.level = others.level;
  curve.elasticity = preferences.elasticity;
  Basket rest = endowment;
  rest.erase(std::string(good));
  curve.money = std::clamp(prices.worth(rest) + income, 0.0, curve_money_limit);
  return curve;
}

Curve curve_of(const Technology& technology, const PriceList& prices, std::string_view good) {
  Curve curve;
  const Basket basket = production(technology, prices);
  const auto found = basket.find(std::string(good));
  if (found == basket.end() || found->second == 0) return curve;
  const double rest = 1 - sum_of_exponents(technology);
  curve.power = good == technology.output ? (1 - rest) / rest
                                          : -1 - technology.inputs.at(found->first) / rest;
  // Without inputs, the output is the same at each price.
  if (curve.power == 0) {
    curve.endowment = std::min(found->second, curve_number_limit);
    return curve;
  }
  curve.factor = limited(-found->second, curve_money_limit);
  curve.base = *prices.price_of(good);
  return curve;
}

}  // namespace coracle::caf
