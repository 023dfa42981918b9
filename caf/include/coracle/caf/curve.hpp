// How much of a good somebody wants or offers, as a function of its price: what traders say to an
// auction (the demand functions of Wellman's market-oriented programming). Contract:
// caf/tests/clearing_test.cpp.
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

// Net demand: what is positive is wanted, what is negative is offered. It is the sum of three
// parts, of which any may be left out.
struct Curve {
  // Of somebody who spends its money by constant elasticity of substitution: with m = money,
  // w = endowment, s = share, e = elasticity, o = others and l = level,
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
  // factor * (price / base)^power; signs that differ, so that it falls.
  double factor = 0;
  double power = 0;
  double base = 1;
  // Straight from one to the next, at ascending prices; before the first and after the last the
  // quantity is theirs.
  std::vector<PricePoint> points;

  friend bool operator==(const Curve&, const Curve&) = default;

  // The net demand at a price above zero.
  double at(double price) const;
  // What is there or changes hands at that price: what an excess is compared with.
  double volume(double price) const;
};

// What a Curve may have at most: points, and the size of its numbers. Money and a factor follow
// from quantities and prices, and may be larger.
inline constexpr std::size_t curve_points_limit = 1000;
inline constexpr double curve_number_limit = 1e15;
inline constexpr double curve_money_limit = 1e100;

// Why `curve` cannot be taken; empty if it can: a number that is none, a negative share, points out
// of order, a quantity that rises with its price.
std::string fault_of(const Curve& curve);

// The curve of one trader, which is given by its number.
struct TakenCurve {
  std::uint32_t trader = 0;
  Curve curve;

  friend bool operator==(const TakenCurve&, const TakenCurve&) = default;
};

// What all together want beyond what there is, and their volume.
double excess_of(std::span<const TakenCurve> bids, double price);
double volume_of(std::span<const TakenCurve> bids, double price);

// How an auction finds its next price.
enum class Adjustment : std::uint8_t {
  clearing,  // the one at which its present bids balance, as in WALRAS
  step,      // up by the excess in proportion to the volume, down likewise: tatonnement
  fixed,     // it stays: of the good in which the others are counted
};

// The kind, how much of the way is gone at once, and between which prices.
struct Adjusting {
  Adjustment kind = Adjustment::clearing;
  double pace = 1;
  double lowest = 1e-12;
  double highest = 1e12;

  friend bool operator==(const Adjusting&, const Adjusting&) = default;
};

// The price after `price`.
double next_price(std::span<const TakenCurve> bids, double price, const Adjusting& how);

// Whether an excess is none: at most `tolerance` of the volume, or a surplus of what costs nothing.
bool is_cleared(double excess, double volume, double price, double lowest, double tolerance);

}  // namespace coracle::caf
