// The quantity of a good that a trader wants or offers, as a function of its price. Traders send it
// to an auction (the demand functions of Wellman's market-oriented programming). Tests:
// caf/tests/markets/clearing_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coracle::caf {

// A quantity at a price.
struct PricePoint {
  double price = 0;
  double quantity = 0;

  friend bool operator==(const PricePoint&, const PricePoint&) = default;
};

// The net demand of a trader: a positive quantity is wanted, a negative one is offered. A curve is
// the sum of three parts, of which any may be left out.
struct Curve {
  // The part of a trader that spends its money by constant elasticity of substitution. With m =
  // money, w = endowment, s = share, e = elasticity, o = others and l = level:
  //   s (m / price + w) / (s + o (price / l)^(e - 1)) - w.
  // An elasticity of 1 is Cobb and Douglas, one of 0 Leontief. `money` comes from anything but this
  // good. `others` is the sum of the shares of the other goods, and `level` the mean of their
  // prices by these shares and the power 1 - e, so that only proportions of prices and of shares
  // matter.
  double share = 0;
  double elasticity = 1;
  double money = 0;
  double endowment = 0;
  double others = 0;
  double level = 1;
  // The part factor * (price / base)^power. `factor` and `power` have different signs, so that the
  // part falls.
  double factor = 0;
  double power = 0;
  double base = 1;
  // The part that is linear between the points, at ascending prices. Before the first point and
  // after the last, the quantity is that of this point.
  std::vector<PricePoint> points;

  friend bool operator==(const Curve&, const Curve&) = default;

  // Returns the net demand at a price above zero.
  double at(double price) const;
  // Returns the quantity that exists or changes hands at that price. An excess is compared with it.
  double volume(double price) const;
};

// The limits of a Curve: the number of points, and the size of its numbers. Money and a factor
// follow from quantities and prices, and may be larger.
inline constexpr std::size_t curve_points_limit = 1000;
inline constexpr double curve_number_limit = 1e15;
inline constexpr double curve_money_limit = 1e100;

// Returns the reason why `curve` is invalid; empty if it is valid. Faults are a value that is not a
// number, a negative share, points out of order, and a quantity that rises with its price.
std::string fault_of(const Curve& curve);

// The curve of one trader, with the number of the trader.
struct TakenCurve {
  std::uint32_t trader = 0;
  Curve curve;

  friend bool operator==(const TakenCurve&, const TakenCurve&) = default;
};

// The quantity that all traders together want beyond the supply, and their volume.
double excess_of(std::span<const TakenCurve> bids, double price);
double volume_of(std::span<const TakenCurve> bids, double price);

// The way in which an auction finds its next price.
enum class Adjustment : std::uint8_t {
  clearing,  // the price at which the present bids balance, as in WALRAS
  step,      // up or down by the excess in proportion to the volume: tatonnement
  fixed,     // the price stays: for the good in which the others are counted
};

// The kind of adjustment, the part of the way that the price goes at once, and the bounds of the
// price.
struct Adjusting {
  Adjustment kind = Adjustment::clearing;
  double pace = 1;
  double lowest = 1e-12;
  double highest = 1e12;

  friend bool operator==(const Adjusting&, const Adjusting&) = default;
};

// Returns the price that follows `price`.
double next_price(std::span<const TakenCurve> bids, double price, const Adjusting& how);

// Returns whether a good is balanced: the excess is at most `tolerance` of the volume, or it is a
// surplus of a good that costs nothing.
bool is_cleared(double excess, double volume, double price, double lowest, double tolerance);

}  // namespace coracle::caf
