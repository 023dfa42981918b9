// What consumers like and producers can do, and what follows from it at given prices: functions
// without any agent. Contract: caf/tests/economy_test.cpp.
#pragma once

#include "coracle/caf/curve.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// Quantities of goods, by their names.
using Basket = std::map<std::string, double>;

// Goods and what they cost.
struct PriceList {
  std::vector<std::string> goods;
  std::vector<double> prices;

  friend bool operator==(const PriceList&, const PriceList&) = default;

  // The place of a good, and its price; nothing if it is not traded.
  std::optional<std::size_t> find(std::string_view good) const;
  std::optional<double> price_of(std::string_view good) const;
  // What a basket costs. Goods that are not traded are worth nothing here.
  double worth(const Basket& basket) const;
};

// What a consumer likes: constant elasticity of substitution. With elasticity 1 (Cobb and Douglas)
// it spends its shares of its money, with 0 (Leontief) it wants goods in this proportion.
struct Preferences {
  Basket shares;
  double elasticity = 1;

  friend bool operator==(const Preferences&, const Preferences&) = default;
};

// How a producer makes one good of others: scale * product of input^exponent. The sum of the
// exponents is below 1, so that more of everything brings less than in proportion.
struct Technology {
  std::string output;
  Basket inputs;
  double scale = 1;

  friend bool operator==(const Technology&, const Technology&) = default;
};

// What is wrong with them; empty if nothing is.
std::string fault_of(const Preferences& preferences);
std::string fault_of(const Basket& endowment);
std::string fault_of(const Technology& technology);

// What somebody with that much money buys.
Basket demand(const Preferences& preferences, double money, const PriceList& prices);
// How good a basket is: the mean of quantity / share, by the shares and the power 1 - 1/elasticity.
// It grows by a factor with all that is in it, and is continuous in the elasticity.
double utility(const Preferences& preferences, const Basket& basket);
// What a producer does to earn most: its output, its inputs as negative quantities. Empty if one of
// these is not traded.
Basket production(const Technology& technology, const PriceList& prices);
// What it earns by that.
double profit(const Technology& technology, const PriceList& prices);

// Net demand for one good while the prices of the others stay: of a consumer with an endowment and
// further income, and of a producer.
Curve curve_of(const Preferences& preferences, const Basket& endowment, double income,
               const PriceList& prices, std::string_view good);
Curve curve_of(const Technology& technology, const PriceList& prices, std::string_view good);

}  // namespace coracle::caf
