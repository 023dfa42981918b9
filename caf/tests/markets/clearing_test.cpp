// Curves, and the prices at which they balance.
#include "coracle/caf/markets/curve.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

namespace coracle::caf::clearing {

namespace {

Curve buys(double share, double money, double others) {
  Curve curve;
  curve.share = share;
  curve.money = money;
  curve.others = others;
  return curve;
}

Curve brings(double endowment) {
  Curve curve;
  curve.endowment = endowment;
  return curve;
}

Curve drawn(std::vector<PricePoint> points) {
  Curve curve;
  curve.points = std::move(points);
  return curve;
}

Curve power(double factor, double exponent) {
  Curve curve;
  curve.factor = factor;
  curve.power = exponent;
  return curve;
}

const Adjusting clear;

}  // namespace

BOOST_AUTO_TEST_SUITE(clearing)

BOOST_AUTO_TEST_CASE(a_curve_is_what_its_formula_says) {
  // A third of 12 at a price of 2, without an endowment.
  BOOST_TEST(buys(1, 12, 2).at(2) == 2.0);
  BOOST_TEST(brings(5).at(7) == -5.0);
  BOOST_TEST(power(-3, 2).at(2) == -12.0);
  const Curve straight = drawn({{1, 10}, {3, 4}, {4, -2}});
  BOOST_TEST(straight.at(0.5) == 10.0);
  BOOST_TEST(straight.at(2) == 7.0);
  BOOST_TEST(straight.at(3.5) == 1.0);
  BOOST_TEST(straight.at(9) == -2.0);
  Curve all = buys(1, 12, 2);
  all.endowment = 5;
  all.factor = -3;
  all.power = 2;
  all.points = straight.points;
  // s (m + w p) / (s p + o p) - w, as by Cobb and Douglas, and the other parts.
  BOOST_TEST(all.at(2) == (12 + 10) / 6.0 - 5 - 12 + 7, boost::test_tools::tolerance(1e-12));
  // Leontief: equal quantities of this good and of others that cost 2 together.
  Curve pairs = buys(1, 12, 1);
  pairs.elasticity = 0;
  pairs.level = 2;
  BOOST_TEST(pairs.at(4) == 2.0);
}

BOOST_AUTO_TEST_CASE(the_price_is_the_one_at_which_bids_balance) {
  // 12 are spent on 6 pieces, whatever the first price is.
  const std::vector<TakenCurve> bids = {{0, buys(1, 12, 0)}, {1, brings(6)}};
  for (const double begin : {1e-9, 0.01, 1.0, 2.0, 700.0, 1e9}) {
    BOOST_TEST(next_price(bids, begin, clear) == 2.0, boost::test_tools::tolerance(1e-12));
  }
  // 8 / price meets price^2: the root is 2.
  const std::vector<TakenCurve> others = {{0, buys(1, 8, 0)}, {1, power(-1, 2)}};
  BOOST_TEST(next_price(others, 1, clear) == 2.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(excess_of(others, 1) == 7.0);
  BOOST_TEST(volume_of(others, 3) == 9.0);
}

BOOST_AUTO_TEST_CASE(without_a_balance_the_price_goes_to_its_bound) {
  BOOST_TEST(next_price(std::vector<TakenCurve>{{0, brings(1)}}, 1, clear) == clear.lowest);
  BOOST_TEST(next_price(std::vector<TakenCurve>{{0, buys(1, 1, 0)}}, 1, clear) == clear.highest);
  BOOST_TEST(next_price(std::vector<TakenCurve>(), 1, clear) == clear.lowest);
}

BOOST_AUTO_TEST_CASE(steps_go_towards_the_balance_and_fixed_prices_stay) {
  const std::vector<TakenCurve> bids = {{0, buys(1, 12, 0)}, {1, brings(6)}};
  Adjusting how;
  how.kind = Adjustment::step;
  how.pace = 0.5;
  double price = 100;
  for (int i = 0; i < 200; ++i) {
    const double next = next_price(bids, price, how);
    BOOST_TEST(std::abs(next - 2) <= std::abs(price - 2));
    price = next;
  }
  BOOST_TEST(price == 2.0, boost::test_tools::tolerance(1e-9));
  how.kind = Adjustment::fixed;
  BOOST_TEST(next_price(bids, 5, how) == 5.0);
  how.kind = Adjustment::clearing;
  BOOST_TEST(next_price(bids, 8, how) == 4.0, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_surplus_of_what_costs_nothing_is_balanced) {
  BOOST_TEST(is_cleared(0.5e-9, 1, 3, 1e-9, 1e-9));
  BOOST_TEST(!is_cleared(2e-9, 1, 3, 1e-9, 1e-9));
  BOOST_TEST(!is_cleared(-1, 1, 3, 1e-9, 1e-9));
  BOOST_TEST(is_cleared(-1, 1, 1e-9, 1e-9, 1e-9));
  BOOST_TEST(!is_cleared(1, 1, 1e-9, 1e-9, 1e-9));
  BOOST_TEST(!is_cleared(1, 0, 1, 1e-9, 1e-9));
}

BOOST_AUTO_TEST_CASE(curves_that_are_none_are_refused_with_the_reason) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const double endless = std::numeric_limits<double>::infinity();
  BOOST_TEST(fault_of(Curve()) == "");
  for (const double bad : {none, endless, -endless, 1e16, 1e101, -1.0}) {
    Curve prices;
    prices.level = bad == 1e16 ? 0 : bad;
    BOOST_TEST(fault_of(prices) != "");
    prices = Curve();
    prices.base = bad == 1e16 ? 1e-61 : bad;
    BOOST_TEST(fault_of(prices) != "");
    BOOST_TEST(fault_of(buys(bad, 1, 1)) != "");
    BOOST_TEST((fault_of(buys(1, bad, 1)) != "") == (bad != 1e16));
    BOOST_TEST(fault_of(buys(1, 1, bad)) != "");
    BOOST_TEST(fault_of(brings(bad)) != "");
    Curve curve;
    curve.elasticity = bad;
    BOOST_TEST(fault_of(curve) != "");
  }
  BOOST_TEST(fault_of(power(none, 1)) != "");
  BOOST_TEST(fault_of(power(1, 1)) == "it rises with the price");
  BOOST_TEST(fault_of(power(-1, -1)) == "it rises with the price");
  BOOST_TEST(fault_of(power(1, 0)) == "it rises with the price");
  BOOST_TEST(fault_of(power(-1, 1)) == "");
  BOOST_TEST(fault_of(drawn({{1, 2}, {2, 3}})) == "it rises with the price");
  BOOST_TEST(fault_of(drawn({{2, 2}, {2, 1}})) == "its points are not at ascending prices");
  BOOST_TEST(fault_of(drawn({{0, 2}})) != "");
  BOOST_TEST(fault_of(drawn({{1, none}})) != "");
  std::vector<PricePoint> many;
  for (int i = 1; i <= 1001; ++i) many.push_back({1.0 * i, 0});
  BOOST_TEST(fault_of(drawn(many)) == "it has more than 1000 points");
}

BOOST_AUTO_TEST_CASE(no_quantity_is_infinite_or_no_number) {
  for (const double price : {1e-60, 1e-9, 1.0, 1e9, 1e60}) {
    for (const double elasticity : {0.0, 1.0, 100.0, 1e15}) {
      Curve curve = buys(1e15, 1e15, 1e-30);
      curve.elasticity = elasticity;
      curve.factor = -1e100;
      curve.money = 1e100;
      curve.level = 1e-60;
      curve.power = 1e15;
      curve.endowment = 1e15;
      BOOST_TEST(std::isfinite(curve.at(price)));
      BOOST_TEST(std::isfinite(curve.volume(price)));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::clearing
