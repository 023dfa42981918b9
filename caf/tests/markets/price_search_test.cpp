// Prices compared with closed forms, and the treatment of participants that break the rules.
#include "support/bazaar.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace coracle::caf::bazaar {

namespace {

// Each spends half of its money on each good. With 6 apples and 3 pears, pears cost twice as much.
const std::vector<Stand> simple = {
    consumer("ann", {{{"apples", 1}, {"pears", 1}}, 1}, {{"apples", 6}}),
    consumer("bob", {{{"apples", 1}, {"pears", 1}}, 1}, {{"pears", 3}})};

double price_of(const MarketRecord& record, const std::string& good) {
  return record.result.prices.price_of(good).value();
}

// Each of three consumers owns one of three goods and wants it and the next in equal parts (Scarf).
std::vector<Stand> scarf() {
  std::vector<Stand> stands;
  const std::vector<std::string> names = {"a", "b", "c"};
  for (std::size_t i = 0; i < 3; ++i) {
    const Preferences likes = {{{names[i], 1}, {names[(i + 1) % 3], 1}}, 0};
    stands.push_back(consumer("owner of " + names[i], likes, {{names[i], 1}}));
  }
  return stands;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(price_search)

BOOST_AUTO_TEST_CASE(two_who_have_one_good_each_share_both) {
  const MarketRecord record = play({}, goods({"apples", "pears"}), simple);
  BOOST_TEST(record.result.converged);
  BOOST_TEST(price_of(record, "apples") == 1.0);
  BOOST_TEST(price_of(record, "pears") == 2.0, boost::test_tools::tolerance(1e-9));
  const auto near = boost::test_tools::tolerance(1e-8);
  BOOST_TEST(record.result.quantity("ann", "apples") == -3.0, near);
  BOOST_TEST(record.result.quantity("ann", "pears") == 1.5, near);
  BOOST_TEST(record.result.quantity("bob", "apples") == 3.0, near);
  BOOST_TEST(record.result.quantity("bob", "pears") == -1.5, near);
  BOOST_TEST(record.result.quantity("cy", "pears") == 0.0);
}

BOOST_AUTO_TEST_CASE(cobb_douglas_economies_come_to_the_solution_of_their_equations) {
  for (const Adjustment adjustment : {Adjustment::clearing, Adjustment::step}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Exchange exchange = some_exchange(seed);
      MarketTerms terms;
      terms.adjustment = adjustment;
      terms.rounds = 2000;
      const MarketRecord record = play(terms, goods(exchange.goods), exchange.stands());
      BOOST_TEST_REQUIRE(record.result.converged, "seed " << seed << ": " << record.result.why);
      const std::vector<double> solved = exchange.prices();
      for (std::size_t good = 0; good < solved.size(); ++good) {
        BOOST_TEST(record.result.prices.prices[good] == solved[good],
                   boost::test_tools::tolerance(1e-7));
      }
    }
  }
}

// If all have the same preferences, prices follow from the quantities: p_g ~ (share / quantity)^(1
// / elasticity).
BOOST_AUTO_TEST_CASE(who_likes_the_same_by_constant_elasticity_pays_what_scarcity_says) {
  for (const double elasticity : {0.5, 0.8, 1.0, 1.5, 4.0}) {
    const Preferences likes = {{{"a", 1}, {"b", 2}, {"c", 3}}, elasticity};
    const std::vector<Stand> stands = {consumer("ann", likes, {{"a", 4}, {"b", 1}}),
                                       consumer("bob", likes, {{"b", 2}, {"c", 9}}),
                                       consumer("cy", likes, {{"c", 1}})};
    MarketTerms terms;
    terms.rounds = 3000;
    terms.pace = 0.5;
    const MarketRecord record = play(terms, goods({"a", "b", "c"}), stands);
    BOOST_TEST_REQUIRE(record.result.converged, elasticity << ": " << record.result.why);
    const auto near = boost::test_tools::tolerance(1e-6);
    BOOST_TEST(price_of(record, "b") == std::pow((2.0 / 3) / (1.0 / 4), 1 / elasticity), near);
    BOOST_TEST(price_of(record, "c") == std::pow((3.0 / 10) / (1.0 / 4), 1 / elasticity), near);
  }
}

// Robinson alone works, bakes and eats, and does what is best for him.
BOOST_AUTO_TEST_CASE(a_producer_and_its_owner_come_to_what_is_best_for_both) {
  const double share = 0.6;
  const double exponent = 0.5;
  const double time = 24;
  const Technology bakery = {"bread", {{"work", exponent}}, 3};
  const Preferences likes = {{{"bread", share}, {"work", 1 - share}}, 1};
  const std::vector<Stand> stands = {consumer("robinson", likes, {{"work", time}}, {bakery}),
                                     producer("bakery", bakery)};
  MarketTerms terms;
  terms.rounds = 1000;
  const MarketRecord record = play(terms, goods({"work", "bread"}), stands);
  BOOST_TEST_REQUIRE(record.result.converged, record.result.why);
  // The maximum of bread^0.6 * leisure^0.4 with bread = 3 * work^0.5.
  const double work = share * exponent * time / (share * exponent + 1 - share);
  const double price = std::pow(work, 1 - exponent) / (exponent * 3);
  const auto near = boost::test_tools::tolerance(1e-6);
  BOOST_TEST(record.result.quantity("robinson", "work") == -work, near);
  BOOST_TEST(record.result.quantity("bakery", "work") == work, near);
  BOOST_TEST(record.result.quantity("robinson", "bread") == 3 * std::sqrt(work), near);
  BOOST_TEST(price_of(record, "bread") == price, near);
}

// Walras' law: all that is to be bought costs as much as all that is to be sold, whether balanced
// or not.
BOOST_AUTO_TEST_CASE(in_every_round_the_excess_of_all_goods_costs_nothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Exchange exchange = some_exchange(seed);
    std::vector<Stand> stands = exchange.stands();
    const Technology mill = {exchange.goods[0], {{exchange.goods[1], 0.4}}, 5};
    stands.push_back(producer("mill", mill));
    const Preferences likes = {{{exchange.goods[0], 1}, {exchange.goods[1], 1}}, 0.7};
    stands.push_back(consumer("owner", likes, {{exchange.goods[1], 10}}, {mill}));
    MarketTerms terms;
    terms.rounds = 60;
    const MarketRecord record = play(terms, goods(exchange.goods), stands);
    for (const MarketRound& round : record.rounds) {
      double worth = 0;
      double turnover = 0;
      for (const ClearedGood& each : round.goods) {
        worth += each.price * each.excess;
        turnover += each.price * each.volume;
      }
      BOOST_TEST(std::abs(worth) <= 1e-9 * turnover, "seed " << seed);
    }
  }
}

BOOST_AUTO_TEST_CASE(only_proportions_of_prices_matter) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Exchange exchange = some_exchange(seed);
    const std::size_t count = exchange.goods.size();
    const std::vector<Stand> stands = exchange.stands();
    MarketTerms terms;
    const MarketRecord one = play(terms, goods(exchange.goods), stands);
    const MarketRecord ten =
        play(terms, goods(exchange.goods, std::vector<double>(count, 1000)), stands);
    terms.numeraire = exchange.goods.back();
    const MarketRecord other = play(terms, goods(exchange.goods), stands);
    BOOST_TEST_REQUIRE((one.result.converged && ten.result.converged && other.result.converged));
    const auto near = boost::test_tools::tolerance(1e-6);
    const double factor = one.result.prices.prices[count - 1];
    for (std::size_t good = 0; good < count; ++good) {
      const double price = one.result.prices.prices[good];
      BOOST_TEST(ten.result.prices.prices[good] == 1000 * price, near);
      BOOST_TEST(other.result.prices.prices[good] == price / factor, near);
      for (std::size_t i = 0; i < stands.size(); ++i) {
        const double gap = ten.result.quantities[i][good] - one.result.quantities[i][good];
        BOOST_TEST(std::abs(gap) < 1e-5);
      }
    }
    BOOST_TEST(other.result.prices.prices[count - 1] == 1.0);
  }
}

// Nobody is worse off, and nobody could be better off without another being worse off: the last
// unit of money is worth the same in each good.
BOOST_AUTO_TEST_CASE(what_is_traded_is_best_for_all) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Exchange exchange = some_exchange(seed);
    const MarketRecord record = play({}, goods(exchange.goods), exchange.stands());
    BOOST_TEST_REQUIRE(record.result.converged);
    for (std::size_t i = 0; i < exchange.shares.size(); ++i) {
      Preferences likes;
      Basket before;
      Basket after;
      double spent = 0;
      for (std::size_t good = 0; good < exchange.goods.size(); ++good) {
        const double net = record.result.quantities[i][good];
        const double price = record.result.prices.prices[good];
        const double owns = exchange.has[i][good];
        likes.shares[exchange.goods[good]] = exchange.shares[i][good];
        before[exchange.goods[good]] = owns;
        after[exchange.goods[good]] = owns + net;
        spent += price * net;
        BOOST_TEST(
            exchange.shares[i][good] / ((owns + net) * price) ==
                exchange.shares[i][0] / (exchange.has[i][0] + record.result.quantities[i][0]),
            boost::test_tools::tolerance(1e-7));
      }
      BOOST_TEST(std::abs(spent) < 1e-6);
      BOOST_TEST(utility(likes, after) >= utility(likes, before) * (1 - 1e-9));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_nobody_wants_costs_nothing) {
  const std::vector<Stand> stands = {
      consumer("ann", {{{"bread", 1}}, 1}, {{"bread", 1}, {"stones", 9}}),
      consumer("bob", {{{"bread", 1}}, 1}, {{"bread", 1}})};
  const MarketRecord record = play({}, goods({"bread", "stones"}), stands);
  BOOST_TEST(record.result.converged);
  BOOST_TEST(price_of(record, "stones") == lowest_price);
  // Counted in stones, bread has no finite price, so there is no balance.
  MarketTerms terms;
  terms.numeraire = "stones";
  terms.rounds = 20;
  BOOST_TEST(!play(terms, goods({"bread", "stones"}), stands).result.converged);
}

BOOST_AUTO_TEST_CASE(prices_that_go_round_for_ever_end_without_a_trade) {
  MarketTerms terms;
  terms.adjustment = Adjustment::step;
  terms.pace = 0.2;
  terms.rounds = 500;
  const MarketRecord record = play(terms, goods({"a", "b", "c"}, {1, 1.5, 0.8}), scarf());
  BOOST_TEST(!record.result.converged);
  BOOST_TEST(record.result.rounds == 500U);
  BOOST_TEST(record.result.quantities.empty());
  BOOST_TEST(record.result.why.find("after 500 rounds") != std::string::npos);
  // There is a balance; prices that begin there do not move.
  BOOST_TEST(play(terms, goods({"a", "b", "c"}), scarf()).result.converged);
}

BOOST_AUTO_TEST_CASE(who_leaves_is_left_out_and_the_others_find_their_own_prices) {
  std::vector<Stand> stands = simple;
  stands.push_back(consumer("cy", {{{"apples", 9}, {"pears", 1}}, 1}, {{"pears", 30}}));
  PriceSearch search({}, goods({"apples", "pears"}), names(stands), "market", 7, at(0s));
  play_round(search, stands);
  BOOST_TEST_REQUIRE(!search.over());
  play_round(search, stands, "cy");
  while (!search.over()) play_round(search, stands);
  BOOST_TEST(search.record().result.converged);
  BOOST_TEST(price_of(search.record(), "pears") == 2.0, boost::test_tools::tolerance(1e-8));
  BOOST_TEST(search.record().result.quantity("cy", "apples") == 0.0);
  BOOST_TEST(retrace(search.record()).empty());
  BOOST_TEST(search.record().incidents.at(0).who == "cy");
  BOOST_TEST(search.trades_of(2).quantities == (std::vector<double>{0, 0}));
}

BOOST_AUTO_TEST_CASE(a_silent_auctioneer_or_nobody_to_trade_ends_it) {
  PriceSearch search({}, goods({"apples", "pears"}), names(simple), "market", 7, at(0s));
  BOOST_TEST((search.deadline() == at(10s)));
  search.on_time(at(9s));
  BOOST_TEST(!search.over());
  search.on_time(at(10s));
  BOOST_TEST(search.over());
  BOOST_TEST(search.record().result.why.find("auctioneer of apples") != std::string::npos);
  BOOST_TEST(retrace(search.record()).empty());
  PriceSearch nobody({}, goods({"apples"}), {}, "market", 7, at(0s));
  BOOST_TEST(nobody.over());
  BOOST_TEST(nobody.record().result.why == "nobody trades");
  PriceSearch left({}, goods({"apples"}), {"ann"}, "market", 7, at(0s));
  play_round(left, {simple[0]}, "ann");
  BOOST_TEST(left.record().result.why == "all traders are gone");
  PriceSearch absent({}, goods({"apples"}), {"ann", "bob"}, "market", 7, at(0s), {1});
  BOOST_TEST(absent.is_gone(1));
  play_round(absent, {simple[0]});
  BOOST_TEST(absent.over());
  BOOST_TEST(retrace(absent.record()).empty());
}

BOOST_AUTO_TEST_CASE(a_bid_that_is_wrong_late_or_of_a_stranger_has_no_effect) {
  PriceSearch search({}, goods({"apples", "pears"}), names(simple), "market", 7, at(0s));
  GoodAuction auction(search.call_of(0), at(0s));
  const auto bid = [&](const char* who, double endowment, std::uint32_t round = 1,
                       const char* good = "apples", Duration when = 1s) {
    CurveBid one{7, round, good, {}};
    one.curve.endowment = endowment;
    return auction.bid(who, one, at(when));
  };
  BOOST_TEST(bid("cy", 1) == "you do not trade here");
  BOOST_TEST(bid("ann", 1, 2) == "it is for round 2, and now it is round 1");
  BOOST_TEST(bid("ann", 1, 1, "pears") == "another good is sold here");
  BOOST_TEST(bid("ann", -1) != "");
  BOOST_TEST(bid("ann", NAN) != "");
  BOOST_TEST(bid("ann", 2) == "");
  BOOST_TEST(bid("ann", 2) == "");
  BOOST_TEST(bid("ann", 3) == "you have bid already, and otherwise");
  BOOST_TEST(!auction.closed());
  BOOST_TEST(bid("bob", 3, 1, "apples", 5s) == "it is too late: the auction of that round is over");
  const Clearing clearing = auction.clearing();
  BOOST_TEST(clearing.bids.size() == 1U);
  BOOST_TEST(clearing.missing == std::vector<std::uint32_t>{1});
  BOOST_TEST(clearing.excess == -2.0);
  BOOST_TEST(clearing.incidents.size() == 7U);
}

BOOST_AUTO_TEST_CASE(a_clearing_that_is_wrong_late_or_of_another_has_no_effect) {
  PriceSearch search({}, goods({"apples", "pears"}), names(simple), "market", 7, at(0s));
  GoodAuction auction(search.call_of(0), at(0s));
  auction.on_time(at(5s));
  const Clearing good = auction.clearing();
  const auto hear = [&](auto change, const char* who = "auction of apples") {
    Clearing one = good;
    change(one);
    return search.hear(who, one, at(6s));
  };
  const auto nothing = [](Clearing&) {};
  BOOST_TEST(hear(nothing, "auction of pears") == "you do not have the auction of that good");
  BOOST_TEST(hear([](Clearing& one) { one.good = "gold"; }) != "");
  BOOST_TEST(hear([](Clearing& one) { one.id = 8; }) != "");
  BOOST_TEST(hear([](Clearing& one) { one.round = 2; }) != "");
  BOOST_TEST(hear([](Clearing& one) { one.price = 2e12; }) == "its price is out of bounds");
  BOOST_TEST(hear([](Clearing& one) { one.price = NAN; }) == "its price is out of bounds");
  BOOST_TEST(hear([](Clearing& one) { one.missing = {0, 0}; }) != "");
  BOOST_TEST(hear([](Clearing& one) { one.missing = {9}; }) != "");
  BOOST_TEST(hear([](Clearing& one) { one.bids = {{0, {}}}; }) != "");
  BOOST_TEST(hear([](Clearing& one) { one.bids = {{9, {}}}; }) != "");
  BOOST_TEST(search.record().incidents.size() == 10U);
  BOOST_TEST(hear(nothing) == "");
  BOOST_TEST(hear(nothing) == "that round is over for this good");
  BOOST_TEST(search.round() == 1U);
}

BOOST_AUTO_TEST_CASE(a_market_that_cannot_be_held_is_refused) {
  const std::vector<std::string> who = {"ann"};
  const auto fault = [&](auto change) {
    MarketTerms terms;
    change(terms);
    return fault_of(terms, goods({"apples"}), who);
  };
  BOOST_TEST(fault([](MarketTerms&) {}) == "");
  BOOST_TEST(fault([](MarketTerms& terms) { terms.pace = 0; }) != "");
  BOOST_TEST(fault([](MarketTerms& terms) { terms.pace = NAN; }) != "");
  BOOST_TEST(fault([](MarketTerms& terms) { terms.tolerance = 0; }) != "");
  BOOST_TEST(fault([](MarketTerms& terms) { terms.rounds = 0; }) != "");
  BOOST_TEST(fault([](MarketTerms& terms) { terms.rounds = 4'000'001; }) != "");
  BOOST_TEST(fault([](MarketTerms& terms) { terms.numeraire = "gold"; }) != "");
  BOOST_TEST(fault([](MarketTerms& terms) { terms.bid_within = 0s; }) != "");
  BOOST_TEST(fault([](MarketTerms& terms) { terms.clear_within = 1s; }) != "");
  BOOST_TEST(fault([](MarketTerms& terms) { terms.adjustment = Adjustment::fixed; }) != "");
  BOOST_TEST(fault_of({}, {}, who) != "");
  BOOST_TEST(fault_of({}, goods({"apples", "apples"}), who) != "");
  BOOST_TEST(fault_of({}, goods({"apples"}, {0}), who) != "");
  BOOST_TEST(fault_of({}, goods({"apples"}, {NAN}), who) != "");
  BOOST_TEST(fault_of({}, goods({"apples"}), {"ann", "ann"}) != "");
  BOOST_TEST(fault_of({}, goods({"apples"}), {""}) != "");
  BOOST_TEST(fault_of_prices({1, 2}, 1) != "");
}

BOOST_AUTO_TEST_CASE(a_record_that_was_changed_does_not_hold) {
  const MarketRecord record = play({}, goods({"apples", "pears"}), simple);
  const auto faults = [&](auto change) {
    MarketRecord changed = record;
    change(changed);
    return retrace(changed).size();
  };
  BOOST_TEST(faults([](MarketRecord&) {}) == 0U);
  const auto pears = [](MarketRecord& all) -> ClearedGood& { return all.rounds[0].goods[1]; };
  BOOST_TEST(faults([&](MarketRecord& all) { pears(all).bids[0].curve.money += 1; }) > 0U);
  BOOST_TEST(faults([&](MarketRecord& all) { pears(all).bids[0].trader = 1; }) > 0U);
  BOOST_TEST(faults([&](MarketRecord& all) { pears(all).bids[0].trader = 9; }) > 0U);
  BOOST_TEST(faults([&](MarketRecord& all) { pears(all).bids.pop_back(); }) > 0U);
  BOOST_TEST(faults([&](MarketRecord& all) { pears(all).missing = {9}; }) > 0U);
  BOOST_TEST(faults([&](MarketRecord& all) { pears(all).next += 1e-6; }) > 0U);
  BOOST_TEST(faults([&](MarketRecord& all) { pears(all).price += 1e-6; }) > 0U);
  BOOST_TEST(faults([&](MarketRecord& all) { pears(all).price = NAN; }) > 0U);
  BOOST_TEST(faults([&](MarketRecord& all) { pears(all).volume += 1; }) > 0U);
  BOOST_TEST(faults([](MarketRecord& all) { all.rounds.pop_back(); }) > 0U);
  BOOST_TEST(faults([](MarketRecord& all) { all.rounds[0].goods.pop_back(); }) > 0U);
  BOOST_TEST(faults([](MarketRecord& all) { all.result.converged = false; }) > 0U);
  BOOST_TEST(faults([](MarketRecord& all) { all.result.prices.prices[1] = 3; }) > 0U);
  BOOST_TEST(faults([](MarketRecord& all) { all.result.quantities[0][0] += 1; }) > 0U);
  BOOST_TEST(faults([](MarketRecord& all) { all.result.quantities[0].pop_back(); }) > 0U);
  BOOST_TEST(faults([](MarketRecord& all) { all.result.traders.pop_back(); }) > 0U);
  BOOST_TEST(faults([](MarketRecord& all) { all.traders.pop_back(); }) > 0U);
  BOOST_TEST(faults([](MarketRecord& all) { all.terms.pace = 0.5; }) > 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::bazaar
