// The preferences of consumers, the technology of producers, and what follows from them at given
// prices: functions without any agent. Tests: caf/tests/markets/economy_test.cpp.
#pragma once

#include "coracle/caf/markets/curve.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// Quantities of goods, by their names.
using Basket = std::map<std::string, double>;

// Goods and their prices.
struct PriceList {
  std::vector<std::string> goods;
  std::vector<double> prices;

  friend bool operator==(const PriceList&, const PriceList&) = default;

  // The index of a good, and its price; nothing if the good is not traded.
  std::optional<std::size_t> find(std::string_view good) const;
  std::optional<double> price_of(std::string_view good) const;
  // Returns the cost of a basket. Goods that are not traded count as worth nothing.
  double worth(const Basket& basket) const;
};

// The preferences of a consumer: constant elasticity of substitution. With elasticity 1 (Cobb and
// Douglas), the consumer spends its money in these shares. With elasticity 0 (Leontief), it wants
// goods in this proportion.
struct Preferences {
  Basket shares;
  double elasticity = 1;

  friend bool operator==(const Preferences&, const Preferences&) = default;
};

// The function by which a producer makes one good of others: scale * product of input^exponent. The
// sum of the exponents is below 1, so that more of every input brings less than a proportional
// output.
struct Technology {
  std::string output;
  Basket inputs;
  double scale = 1;

  friend bool operator==(const Technology&, const Technology&) = default;
};

// Each returns the fault of its argument; empty if there is none.
std::string fault_of(const Preferences& preferences);
std::string fault_of(const Basket& endowment);
std::string fault_of(const Technology& technology);

// Returns the basket that a consumer with `money` buys.
Basket demand(const Preferences& preferences, double money, const PriceList& prices);
// Returns the utility of a basket: the mean of quantity / share, by the shares and the power 1 -
// 1/elasticity. It grows in proportion to all quantities of the basket, and is continuous in the
// elasticity.
double utility(const Preferences& preferences, const Basket& basket);
// Returns the production with the greatest profit: the output, and the inputs as negative
// quantities. Empty if one of these goods is not traded.
Basket production(const Technology& technology, const PriceList& prices);
// Returns the greatest profit of the producer.
double profit(const Technology& technology, const PriceList& prices);

// Return the net demand for one good while the prices of the others stay: of a consumer with an
// endowment and further income, and of a producer.
Curve curve_of(const Preferences& preferences, const Basket& endowment, double income,
               const PriceList& prices, std::string_view good);
Curve curve_of(const Technology& technology, const PriceList& prices, std::string_view good);

}  // namespace coracle::caf
