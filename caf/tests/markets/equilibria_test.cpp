// The results of a market at any scale of prices, with several balances, and without a balance.
#include "support/bazaar.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace coracle::caf::bazaar {

namespace {

double final_price(const MarketRecord& record, const std::string& good) {
  return record.result.prices.price_of(good).value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(equilibria)

// Two consumers have the same preferences with some elasticity. The prices have a closed form; the
// first prices have any size.
BOOST_AUTO_TEST_CASE(
    first_prices_of_any_size_and_any_legal_elasticity_come_to_the_same_proportion) {
  for (const double elasticity : {0.8, 1.0, 4.0, 10.0, 100.0}) {
    const Preferences likes = {{{"a", 1}, {"b", 2}}, elasticity};
    const std::vector<Stand> stands = {consumer("ann", likes, {{"a", 4}}),
                                       consumer("bob", likes, {{"b", 2}})};
    const double wanted = std::pow((2.0 / 2) / (1.0 / 4), 1 / elasticity);
    for (const double scale : {1e-11, 1e-6, 0.02, 1.0, 1e6, 1e11}) {
      const MarketRecord record = play({}, goods({"a", "b"}, {scale, 5 * scale}), stands);
      BOOST_TEST_REQUIRE(record.result.converged,
                         elasticity << " " << scale << ": " << record.result.why);
      BOOST_TEST(final_price(record, "b") / scale == wanted, boost::test_tools::tolerance(1e-7));
    }
  }
}

BOOST_AUTO_TEST_CASE(who_has_what_nobody_wants_keeps_it) {
  const std::vector<Stand> stands = {
      consumer("ann", {{{"bread", 1}}, 1}, {{"bread", 1}, {"stones", 9}}),
      consumer("bob", {{{"bread", 1}}, 1}, {{"bread", 1}, {"stones", 3}})};
  const MarketRecord record = play({}, goods({"bread", "stones"}), stands);
  BOOST_TEST_REQUIRE(record.result.converged);
  BOOST_TEST(record.result.quantity("ann", "stones") == 0.0);
  BOOST_TEST(record.result.quantity("bob", "stones") == 0.0);
  BOOST_TEST(record.result.excess[1] == -12.0);
}

// cy wants two handles for each blade. Of 12 handles, 8 go with 4 blades, and all owners of handles
// sell the same share of them.
BOOST_AUTO_TEST_CASE(of_what_is_left_over_all_sell_the_same_share) {
  const Preferences pairs = {{{"blade", 1}, {"handle", 2}}, 0};
  const std::vector<Stand> stands = {consumer("ann", {{{"blade", 1}}, 1}, {{"handle", 9}}),
                                     consumer("bob", {{{"blade", 1}}, 1}, {{"handle", 3}}),
                                     consumer("cy", pairs, {{"blade", 4}})};
  const MarketRecord record = play({}, goods({"blade", "handle"}), stands);
  BOOST_TEST_REQUIRE(record.result.converged, record.result.why);
  const auto near = boost::test_tools::tolerance(1e-6);
  BOOST_TEST(record.result.quantity("cy", "handle") == 8.0, near);
  BOOST_TEST(record.result.quantity("ann", "handle") == -6.0, near);
  BOOST_TEST(record.result.quantity("bob", "handle") == -2.0, near);
}

BOOST_AUTO_TEST_CASE(a_market_that_cannot_balance_ends_and_says_of_which_good) {
  const auto why = [](const std::vector<Stand>& stands, MarketTerms terms = {}) {
    const MarketRecord record = play(terms, goods({"bread", "stones"}), stands);
    BOOST_TEST(!record.result.converged);
    BOOST_TEST((terms.adjustment == Adjustment::step || record.result.rounds < 10U));
    return record.result.why;
  };
  MarketTerms in_stones;
  in_stones.numeraire = "stones";
  const std::vector<Stand> stony = {
      consumer("ann", {{{"bread", 1}}, 1}, {{"bread", 1}, {"stones", 9}}),
      consumer("bob", {{{"bread", 1}}, 1}, {{"bread", 1}})};
  BOOST_TEST(why(stony, in_stones) ==
             "nobody wants 'stones', in which prices are counted, so that its price cannot fall; "
             "count in a good that is wanted");
  const std::vector<Stand> dreamers = {
      consumer("ann", {{{"bread", 1}, {"stones", 1}}, 1}, {{"bread", 1}}),
      consumer("bob", {{{"bread", 1}}, 1}, {{"bread", 1}})};
  BOOST_TEST(why(dreamers) ==
             "'stones' is wanted at any price, and nobody offers it; invite a trader that has it, "
             "or leave it out");
  in_stones.adjustment = Adjustment::step;
  BOOST_TEST(why(stony, in_stones).starts_with("nobody wants 'stones'"));
}

// Three prices balance these two: 1, one far below, and one far above. The first prices decide
// which of them is found, and the same first prices find the same balance.
BOOST_AUTO_TEST_CASE(of_several_equilibria_the_one_is_found_to_which_the_first_prices_lead) {
  const Preferences of_ann = {{{"a", 2}, {"b", 1}}, 0.2};
  const Preferences of_bob = {{{"a", 1}, {"b", 2}}, 0.2};
  const std::vector<Stand> stands = {consumer("ann", of_ann, {{"a", 1}}),
                                     consumer("bob", of_bob, {{"b", 1}})};
  const auto found = [&stands](double first) {
    const MarketRecord record = play({}, goods({"a", "b"}, {1, first}), stands);
    BOOST_TEST_REQUIRE(record.result.converged);
    return final_price(record, "b");
  };
  BOOST_TEST(found(1) == 1.0);
  BOOST_TEST(found(0.9) < 0.1);
  const auto near = boost::test_tools::tolerance(1e-6);
  BOOST_TEST(found(0.9) * found(1.1) == 1.0, near);
  for (double first = 1e-4; first < 1e4; first *= 1.7) {
    const double price = found(first);
    BOOST_TEST(
        (std::abs(price / found(0.9) - 1) < 1e-6 || std::abs(price / found(1.1) - 1) < 1e-6));
    BOOST_TEST(found(first) == price);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::bazaar
