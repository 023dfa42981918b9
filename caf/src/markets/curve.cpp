#include "coracle/caf/markets/curve.hpp"

#include "trading.hpp"

#include <algorithm>
#include <cmath>

namespace coracle::caf {

namespace {

// The limit of a quantity, so that the sum of many quantities is still a number.
constexpr double most = curve_money_limit;

// Returns a power of a proportion of prices, limited so that its product with a share is a number.
double bounded_power(double proportion, double exponent) {
  return std::clamp(std::pow(proportion, exponent), 1 / most, most);
}

double between(const std::vector<PricePoint>& points, double price) {
  if (points.empty()) return 0;
  if (price <= points.front().price) return points.front().quantity;
  const auto after =
      std::lower_bound(points.begin(), points.end(), price,
                       [](const PricePoint& each, double wanted) { return each.price < wanted; });
  if (after == points.end()) return points.back().quantity;
  const PricePoint& before = *(after - 1);
  const double part = (price - before.price) / (after->price - before.price);
  return before.quantity + part * (after->quantity - before.quantity);
}

double power_part(const Curve& curve, double price) {
  if (curve.factor == 0) return 0;
  return std::clamp(curve.factor * bounded_power(price / curve.base, curve.power), -most, most);
}

// These three functions return false for NaN.
bool is_number(double value) { return std::abs(value) <= curve_number_limit; }
bool is_money(double value) { return std::abs(value) <= curve_money_limit; }
bool is_share(double value) { return value == 0 || (value >= 1e-30 && value <= 1e15); }

std::string fault_of_points(const std::vector<PricePoint>& points) {
  if (points.size() > curve_points_limit) {
    return "it has more than " + std::to_string(curve_points_limit) + " points";
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_number(points[i].price) || !is_number(points[i].quantity) || points[i].price <= 0) {
      return "one of its points is at no price above zero, or at no number";
    }
    if (i == 0) continue;
    if (points[i].price <= points[i - 1].price) return "its points are not at ascending prices";
    if (points[i].quantity > points[i - 1].quantity) return "it rises with the price";
  }
  return {};
}

}  // namespace

double Curve::at(double price) const {
  double quantity = power_part(*this, price) + between(points, price) - endowment;
  if (share > 0) {
    // The money that goes to other goods for each unit of money that goes to this good.
    const double others_part =
        others == 0 ? 0 : others / share * bounded_power(price / level, elasticity - 1);
    quantity += std::min((money / price + endowment) / (1 + others_part), most);
  }
  return quantity;
}

double Curve::volume(double price) const {
  return endowment + std::abs(power_part(*this, price)) + std::abs(between(points, price));
}

std::string fault_of(const Curve& curve) {
  for (const double each : {curve.elasticity, curve.endowment, curve.power}) {
    if (!is_number(each)) return "one of its numbers is not valid, or too large";
  }
  if (!is_money(curve.money) || !is_money(curve.factor)) {
    return "its money or factor is no number, or too large";
  }
  if (!is_price(curve.level) || !is_price(curve.base)) {
    return "a price in it is not from 1e-60 to 1e60";
  }
  if (curve.elasticity < 0 || curve.money < 0 || curve.endowment < 0) {
    return "an elasticity, money or endowment is negative";
  }
  if (!is_share(curve.share) || !is_share(curve.others)) {
    return "a share is neither 0 nor from 1e-30 to 1e15";
  }
  if (curve.factor * curve.power > 0 || (curve.factor > 0 && curve.power == 0)) {
    return "it rises with the price";
  }
  return fault_of_points(curve.points);
}

double excess_of(std::span<const TakenCurve> bids, double price) {
  double sum = 0;
  for (const TakenCurve& each : bids) sum += each.curve.at(price);
  return sum;
}

double volume_of(std::span<const TakenCurve> bids, double price) {
  double sum = 0;
  for (const TakenCurve& each : bids) sum += each.curve.volume(price);
  return sum;
}

namespace {

// Returns the price nearest to `price` at which `bids` balance.
double clearing_price(std::span<const TakenCurve> bids, double price, const Adjusting& how) {
  double low = price;
  double high = price;
  // Each step squares the factor, until one price has too much demand and one has too little.
  double factor = 1.25;
  if (excess_of(bids, price) > 0) {
    do {
      if (high >= how.highest) return how.highest;
      low = high;
      high = std::min(high * factor, how.highest);
      factor *= factor;
    } while (excess_of(bids, high) > 0);
  } else {
    do {
      if (low <= how.lowest) return how.lowest;
      high = low;
      low = std::max(low / factor, how.lowest);
      factor *= factor;
    } while (excess_of(bids, low) <= 0);
  }
  // The middle is geometric, because the two prices may differ by several powers of ten.
  for (int i = 0; i < 200; ++i) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    if (middle <= low || middle >= high) break;
    if (excess_of(bids, middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

}  // namespace

double next_price(std::span<const TakenCurve> bids, double price, const Adjusting& how) {
  double next = price;
  if (how.kind == Adjustment::clearing) {
    next = price * std::pow(clearing_price(bids, price, how) / price, how.pace);
  } else if (how.kind == Adjustment::step) {
    const double excess = excess_of(bids, price);
    const double volume = volume_of(bids, price);
    const double part = volume > 0 ? excess / volume : excess > 0 ? 1.0 : 0.0;
    next = price * std::clamp(1 + how.pace * part, 0.5, 2.0);
  } else {
    return price;
  }
  return std::clamp(next, how.lowest, how.highest);
}

bool is_cleared(double excess, double volume, double price, double lowest, double tolerance) {
  if (std::abs(excess) <= tolerance * volume) return true;
  return excess < 0 && price <= lowest * (1 + 1e-9);
}

}  // namespace coracle::caf
