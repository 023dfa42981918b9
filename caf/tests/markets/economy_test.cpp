// The actions of consumers and producers at given prices, by definition: nothing near them is
// better.
#include "coracle/caf/markets/economy.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>

namespace coracle::caf::economies {

namespace {

const PriceList prices = {{"bread", "wine", "cloth"}, {2, 5, 0.5}};

double made_of(const Technology& technology, const Basket& inputs) {
  double output = technology.scale;
  for (const auto& [good, exponent] : technology.inputs) {
    output *= std::pow(inputs.at(good), exponent);
  }
  return output;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(economy, *boost::unit_test::tolerance(1e-9))

BOOST_AUTO_TEST_CASE(cobb_and_douglas_spend_their_shares) {
  const Basket bought = demand({{{"bread", 3}, {"wine", 1}}, 1}, 40, prices);
  BOOST_TEST(bought.at("bread") == 15.0);
  BOOST_TEST(bought.at("wine") == 2.0);
  BOOST_TEST(bought.count("cloth") == 0U);
}

BOOST_AUTO_TEST_CASE(leontief_wants_a_proportion) {
  const Basket bought = demand({{{"bread", 1}, {"wine", 2}}, 0}, 24, prices);
  BOOST_TEST(bought.at("bread") == 2.0);
  BOOST_TEST(bought.at("wine") == 4.0);
  BOOST_TEST(utility({{{"bread", 1}, {"wine", 2}}, 0}, bought) == 2.0);
}

BOOST_AUTO_TEST_CASE(what_is_bought_costs_the_money_and_nothing_else_is_liked_better) {
  std::mt19937_64 random(7);
  const auto part = [&random] { return 0.1 + static_cast<double>(random() % 1000) / 1000; };
  for (const double elasticity : {0.0, 0.4, 1.0, 2.5}) {
    const Preferences likes = {{{"bread", part()}, {"wine", part()}, {"cloth", part()}},
                               elasticity};
    const Basket bought = demand(likes, 30, prices);
    BOOST_TEST(prices.worth(bought) == 30.0);
    const double best = utility(likes, bought);
    for (int i = 0; i < 200; ++i) {
      Basket other = {{"bread", part()}, {"wine", part()}, {"cloth", part()}};
      const double factor = 30 / prices.worth(other);
      for (auto& [good, quantity] : other) quantity *= factor;
      BOOST_TEST(utility(likes, other) <= best * (1 + 1e-12));
    }
  }
}

// A basket without a good that is hardly liked is much worse when the elasticity is hardly more
// than 1. The number was computed with 50 digits.
BOOST_AUTO_TEST_CASE(a_basket_without_something_is_worth_exactly_so_much_less) {
  const Basket shares = {{"bread", 900.8262657332359},
                         {"wine", 714.5221127502756},
                         {"cloth", 0.0012848126710400703},
                         {"oil", 924.5684577241404}};
  const Basket basket = {{"bread", 5.817600696843022e-06}, {"wine", 1}, {"cloth", 0}, {"oil", 1}};
  const double right = 3.3551850044285243e-225;
  BOOST_TEST(std::abs(utility({shares, 1.000000001}, basket) / right - 1) < 1e-11);
}

BOOST_AUTO_TEST_CASE(how_good_a_basket_is_changes_little_with_little_elasticity) {
  const Basket shares = {{"bread", 3}, {"wine", 1}, {"cloth", 1}};
  const Basket basket = {{"bread", 6}, {"wine", 1}, {"cloth", 4}};
  // 2^0.6 * 1^0.2 * 4^0.2: the geometric mean of quantity / share.
  BOOST_TEST(utility({shares, 1}, basket) == 2.0);
  for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15}) {
    BOOST_TEST((std::abs(utility({shares, 1 + gap}, basket) - 2) < gap + 1e-12));
    BOOST_TEST((std::abs(utility({shares, 1 - gap}, basket) - 2) < gap + 1e-12));
    BOOST_TEST((std::abs(utility({shares, gap}, basket) - 1) < 3 * gap + 1e-12));  // the least
                                                                                   // quantity /
                                                                                   // share is 1
  }
  double before = 1;
  for (double elasticity = 0; elasticity <= 100; elasticity += 0.01) {
    const double now = utility({shares, elasticity}, basket);
    BOOST_TEST_REQUIRE((now >= before * (1 - 1e-12) && now < before * 1.02), elasticity);
    before = now;
  }
}

BOOST_AUTO_TEST_CASE(
    a_basket_twice_as_large_is_twice_as_good_and_without_a_good_it_may_be_worthless) {
  const Basket shares = {{"bread", 3}, {"wine", 1e-6}, {"cloth", 1e6}};
  const Basket basket = {{"bread", 6e9}, {"wine", 1e-9}, {"cloth", 4}};
  Basket twice = basket;
  for (auto& [good, quantity] : twice) quantity *= 2;
  for (const double elasticity : {0.0, 1e-9, 0.01, 0.5, 0.999, 1.0, 1.001, 3.0, 100.0}) {
    const Preferences likes = {shares, elasticity};
    BOOST_TEST(utility(likes, twice) == 2 * utility(likes, basket));
    const bool needs_all = elasticity <= 1;
    BOOST_TEST((utility(likes, {{"bread", 5}, {"cloth", 4}}) == 0) == needs_all);
    BOOST_TEST(utility(likes, {}) == 0.0);
  }
}

// The prices are multiplied by several factors, and they differ much from each other.
BOOST_AUTO_TEST_CASE(every_legal_elasticity_and_price_gives_a_bid_that_can_be_taken) {
  for (const double elasticity : {0.0, 0.5, 1.0, 4.0, 10.0, 100.0}) {
    const Preferences likes = {{{"bread", 3}, {"wine", 1e-6}, {"cloth", 1e15}}, elasticity};
    const Basket has = {{"bread", 2}, {"cloth", 1e6}};
    for (const double scale : {1e-12, 1e-6, 1.0, 1e12}) {
      const PriceList there = {{"bread", "wine", "cloth"},
                               {scale * 0.02, scale * 1e12, scale * 1e-12}};
      const Basket bought = demand(likes, there.worth(has), there);
      BOOST_TEST(there.worth(bought) == there.worth(has));
      const Basket as_before = demand(likes, PriceList{there.goods, {0.02, 1e12, 1e-12}}.worth(has),
                                      {there.goods, {0.02, 1e12, 1e-12}});
      for (const std::string& good : there.goods) {
        const Curve curve = curve_of(likes, has, 0, there, good);
        BOOST_TEST(fault_of(curve) == "", elasticity << " " << scale << " " << good);
        const double owned = has.count(good) == 0 ? 0 : has.at(good);
        const double gap = curve.at(*there.price_of(good)) + owned - bought.at(good);
        BOOST_TEST((std::abs(gap) <= 1e-9 * (owned + bought.at(good)) + 1e-90));
        BOOST_TEST(bought.at(good) == as_before.at(good));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_legal_technology_gives_a_bid_that_can_be_taken) {
  for (const double exponent : {0.0, 0.3, 0.9, 0.99}) {
    const Technology mill = {"bread", {{"cloth", exponent}}, 1e15};
    for (const double price : {1e-12, 0.02, 1.0, 1e12}) {
      const PriceList there = {{"bread", "cloth"}, {price, 0.5}};
      BOOST_TEST(std::isfinite(profit(mill, there)));
      for (const std::string& good : there.goods) {
        const Curve curve = curve_of(mill, there, good);
        BOOST_TEST(fault_of(curve) == "", exponent << " " << price << " " << good);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_producer_earns_most_by_what_it_does) {
  std::mt19937_64 random(7);
  const Technology mill = {"bread", {{"wine", 0.3}, {"cloth", 0.4}}, 3};
  const Basket done = production(mill, prices);
  const Basket inputs = {{"wine", -done.at("wine")}, {"cloth", -done.at("cloth")}};
  BOOST_TEST(done.at("bread") == made_of(mill, inputs));
  BOOST_TEST(profit(mill, prices) == 0.3 * done.at("bread") * 2);
  for (int i = 0; i < 200; ++i) {
    Basket other = inputs;
    for (auto& [good, quantity] : other) {
      quantity *= 0.5 + static_cast<double>(random() % 1000) / 1000;
    }
    const double earned = 2 * made_of(mill, other) - prices.worth(other);
    BOOST_TEST(earned <= profit(mill, prices) * (1 + 1e-12));
  }
}

// A curve is right if it is right at every price of its own good, while the others stay.
BOOST_AUTO_TEST_CASE(curves_say_at_each_price_what_would_be_done_there) {
  const Technology mill = {"bread", {{"wine", 0.3}, {"cloth", 0.4}}, 3};
  const Technology spring = {"wine", {}, 4};
  const Basket has = {{"bread", 2}, {"cloth", 30}, {"ink", 9}};
  for (const std::string& good : prices.goods) {
    const Curve makes = curve_of(mill, prices, good);
    BOOST_TEST(fault_of(makes) == "");
    for (const double factor : {0.1, 0.7, 1.0, 3.0}) {
      PriceList there = prices;
      const double price = there.prices[*there.find(good)] *= factor;
      BOOST_TEST(makes.at(price) == -production(mill, there).at(good));
      for (const double elasticity : {0.0, 0.4, 1.0, 2.5}) {
        const Preferences likes = {{{"bread", 1}, {"wine", 2}, {"ink", 3}}, elasticity};
        const Curve wants = curve_of(likes, has, 7, prices, good);
        BOOST_TEST(fault_of(wants) == "");
        Basket bought = demand(likes, there.worth(has) + 7, there);
        const auto own = has.find(good);
        const double net = bought[good] - (own == has.end() ? 0 : own->second);
        BOOST_TEST(wants.at(price) == net);
      }
    }
  }
  BOOST_TEST(curve_of(spring, prices, "wine").at(3) == -4.0);
  BOOST_TEST((curve_of(mill, {{"bread", "wine"}, {2, 5}}, "bread") == Curve()));
}

BOOST_AUTO_TEST_CASE(numbers_that_mean_nothing_are_refused) {
  BOOST_TEST(fault_of(Preferences{{{"bread", -1}}, 1}) != "");
  BOOST_TEST(fault_of(Preferences{{{"bread", NAN}}, 1}) != "");
  BOOST_TEST(fault_of(Preferences{{{"bread", 0}}, 1}) ==
             "no good has a share above zero; give one to at least one good");
  BOOST_TEST(fault_of(Preferences{{{"bread", 1}}, -1}) != "");
  BOOST_TEST(fault_of(Preferences{{{"bread", 1}}, NAN}) != "");
  BOOST_TEST(fault_of(Preferences{{{"bread", 1}}, 0}) == "");
  BOOST_TEST(fault_of(Basket{{"bread", -0.5}}) != "");
  BOOST_TEST(fault_of(Basket{{"bread", 0}}) == "");
  BOOST_TEST(fault_of(Technology{"bread", {{"wine", 0.6}, {"cloth", 0.4}}, 1}) != "");
  BOOST_TEST(fault_of(Technology{"bread", {{"bread", 0.6}}, 1}) != "");
  BOOST_TEST(fault_of(Technology{"bread", {{"wine", -0.6}}, 1}) != "");
  BOOST_TEST(fault_of(Technology{"bread", {{"wine", 0.6}}, 0}) != "");
  BOOST_TEST(fault_of(Technology{"bread", {{"wine", 0.6}}, 2}) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::economies
