// The winners of an auction and their prices, compared with trying everything.
#include "coracle/caf/contracts/auction.hpp"
#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>
#include <random>

namespace coracle::caf {

namespace {

// The sum of the winners' offers, and the number of items they get.
struct Score {
  Amount sum = 0;
  int items = 0;
};

// Returns whether `a` is better. Each kept item is worth the reserve to the client.
bool is_better(const Score& a, const Score& b, const Goal& goal, int all) {
  const Amount reserve = goal.reserve.value_or(0);
  if (goal.best == Best::highest) {
    const Amount of_a = a.sum + reserve * (all - a.items);
    const Amount of_b = b.sum + reserve * (all - b.items);
    return of_a != of_b ? of_a > of_b : a.items > b.items;
  }
  if (!goal.reserve) return a.items != b.items ? a.items > b.items : a.sum < b.sum;
  const Amount of_a = a.sum + reserve * (all - a.items);
  const Amount of_b = b.sum + reserve * (all - b.items);
  return of_a != of_b ? of_a < of_b : a.items > b.items;
}

// Tries every set of offers.
Score by_force(const std::vector<Offer>& offers, Items free, const Goal& goal) {
  Score best;
  const int all = std::popcount(free);
  for (std::uint32_t set = 0; set < (1U << offers.size()); ++set) {
    Score score;
    Items taken = ~free;
    std::uint64_t bidders = 0;
    bool fits = true;
    for (std::uint32_t i = 0; i < offers.size() && fits; ++i) {
      if ((set >> i & 1U) == 0) continue;
      const std::uint64_t bidder = std::uint64_t{1} << offers[i].bidder;
      fits = (taken & offers[i].items) == 0 && (bidders & bidder) == 0;
      taken |= offers[i].items;
      bidders |= bidder;
      score.sum += offers[i].amount;
      score.items += std::popcount(offers[i].items);
    }
    if (fits && is_better(score, best, goal, all)) best = score;
  }
  return best;
}

// Returns the set of offers with that score whose offers come first.
std::vector<std::uint32_t> first_by_force(const std::vector<Offer>& offers, Items free,
                                          const Score& wanted) {
  std::optional<std::vector<std::uint32_t>> first;
  for (std::uint32_t set = 0; set < (1U << offers.size()); ++set) {
    std::vector<std::uint32_t> chosen;
    Items left = free;
    std::uint64_t bidders = 0;
    Amount sum = 0;
    bool fits = true;
    for (std::uint32_t i = 0; i < offers.size() && fits; ++i) {
      if ((set >> i & 1U) == 0) continue;
      fits = (offers[i].items & ~left) == 0 && (bidders >> offers[i].bidder & 1U) == 0;
      left &= ~offers[i].items;
      bidders |= std::uint64_t{1} << offers[i].bidder;
      sum += offers[i].amount;
      chosen.push_back(i);
    }
    const bool is_as_good =
        fits && sum == wanted.sum && std::popcount(free & ~left) == wanted.items;
    if (is_as_good && (!first || chosen < *first)) first = chosen;
  }
  return *first;
}

Score score_of(const std::vector<Offer>& offers, const Allocation& allocation) {
  Score score;
  Items taken = 0;
  std::uint64_t bidders = 0;
  for (const std::uint32_t each : allocation.winners) {
    BOOST_TEST((taken & offers[each].items) == 0U);
    BOOST_TEST((bidders >> offers[each].bidder & 1U) == 0U);
    taken |= offers[each].items;
    bidders |= std::uint64_t{1} << offers[each].bidder;
    score.sum += offers[each].amount;
    score.items += std::popcount(offers[each].items);
  }
  return score;
}

std::vector<Offer> some_offers(std::mt19937_64& random, std::size_t items) {
  std::vector<Offer> offers(random() % 9);
  for (Offer& each : offers) {
    each.bidder = static_cast<std::uint32_t>(random() % 5);
    each.items = 1 + random() % (all_items(items));
    each.amount = static_cast<Amount>(random() % 20);
  }
  return offers;
}

Goal some_goal(std::mt19937_64& random) {
  Goal goal;
  goal.best = random() % 2 == 0 ? Best::highest : Best::lowest;
  if (random() % 2 == 0) goal.reserve = static_cast<Amount>(random() % 10);
  return goal;
}

// A client's value of a score, so that prices can be checked by their definition.
Amount value_of(const Score& score, const Goal& goal, int all) {
  const Amount kept = goal.reserve.value_or(0) * (all - score.items);
  return goal.best == Best::highest ? score.sum + kept : -(score.sum + kept);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(auction)

BOOST_AUTO_TEST_CASE(the_allocation_is_as_good_as_the_best_of_all_sets_of_offers) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 20'000; ++n) {
    const std::size_t items = 1 + random() % 5;
    const std::vector<Offer> offers = some_offers(random, items);
    const Goal goal = some_goal(random);
    const Items free = all_items(items) & ~(random() % 4 == 0 ? random() : 0);
    const Allocation found = best_allocation(offers, free, goal);
    const Score got = score_of(offers, found);
    const Score wanted = by_force(offers, free, goal);
    BOOST_TEST(found.exact);
    BOOST_TEST_REQUIRE(got.sum == wanted.sum, "case " << n);
    BOOST_TEST_REQUIRE(got.items == wanted.items, "case " << n);
    for (const std::uint32_t each : found.winners) BOOST_TEST((offers[each].items & ~free) == 0U);
    BOOST_TEST_REQUIRE(found.winners == first_by_force(offers, free, wanted), "case " << n);
  }
}

BOOST_AUTO_TEST_CASE(each_winner_pays_what_the_others_lose_by_it) {
  std::mt19937_64 random(2);
  int checked = 0;
  for (int n = 0; n < 10'000; ++n) {
    const std::size_t items = 1 + random() % 4;
    const std::vector<Offer> offers = some_offers(random, items);
    const Goal goal = some_goal(random);
    const int all = static_cast<int>(items);
    const Allocation found = best_allocation(offers, all_items(items), goal);
    const std::vector<Amount> prices = vickrey_prices(offers, all_items(items), found, goal);
    BOOST_TEST_REQUIRE(prices.size() == found.winners.size());
    const Score with = score_of(offers, found);
    for (std::size_t i = 0; i < prices.size(); ++i) {
      const Offer& own = offers[found.winners[i]];
      std::vector<Offer> others;
      for (const Offer& each : offers) {
        if (each.bidder != own.bidder) others.push_back(each);
      }
      const Score without = by_force(others, all_items(items), goal);
      if (goal.best == Best::lowest && !goal.reserve && without.items < with.items) {
        BOOST_TEST_REQUIRE(prices[i] == own.amount, "case " << n);
        continue;
      }
      const Score rest = {with.sum - own.amount, with.items - std::popcount(own.items)};
      // The rest keeps what it has; the winner's items are not the client's any more.
      const Amount reserve = goal.reserve.value_or(0) * std::popcount(own.items);
      const Amount kept = goal.best == Best::highest ? -reserve : reserve;
      const Amount harm = value_of(without, goal, all) - (value_of(rest, goal, all) + kept);
      BOOST_TEST_REQUIRE(prices[i] == (goal.best == Best::highest ? harm : -harm), "case " << n);
      ++checked;
    }
  }
  BOOST_TEST(checked > 5'000);
}

BOOST_AUTO_TEST_CASE(of_one_item_the_winner_pays_the_second_best_amount_or_the_reserve) {
  const std::vector<Offer> offers = {{0, 1, 5}, {1, 1, 9}, {2, 1, 7}};
  const auto price = [&](const Goal& goal) {
    return vickrey_prices(offers, 1, best_allocation(offers, 1, goal), goal);
  };
  BOOST_TEST(price({Best::highest, {}}) == std::vector<Amount>{7});
  BOOST_TEST(price({Best::highest, 8}) == std::vector<Amount>{8});
  BOOST_TEST(price({Best::lowest, {}}) == std::vector<Amount>{7});
  BOOST_TEST(price({Best::lowest, 6}) == std::vector<Amount>{6});
  BOOST_TEST(price({Best::highest, 10}).empty());
}

// The others may together ask more for the winner's items than any one amount.
BOOST_AUTO_TEST_CASE(a_price_above_the_largest_amount_is_a_price) {
  const Goal cheap{Best::lowest, {}};
  const auto price_with = [&cheap](std::vector<Offer> others) {
    std::vector<Offer> offers = {{0, 3, 3'787'993'721'856'933}};
    offers.insert(offers.end(), others.begin(), others.end());
    return vickrey_prices(offers, 3, best_allocation(offers, 3, cheap), cheap);
  };
  const Offer first = {1, 1, 4'824'291'415'488'279};
  const Offer second = {2, 2, 4'824'291'415'488'279};
  BOOST_TEST(price_with({first, second}) == std::vector<Amount>{9'648'582'830'976'558});
  BOOST_TEST(price_with({{1, 1, amount_limit}, {2, 2, amount_limit}}) ==
             std::vector<Amount>{2 * amount_limit});
  // Only the winner offers one of the two items, or one bidder offers both: no rivals for both
  // items.
  BOOST_TEST(price_with({first}) == std::vector<Amount>{3'787'993'721'856'933});
  BOOST_TEST(price_with({first, {1, 2, 5}}) == std::vector<Amount>{3'787'993'721'856'933});
}

BOOST_AUTO_TEST_CASE(nobody_gains_by_offering_something_else_than_what_it_is_worth) {
  std::mt19937_64 random(3);
  for (int n = 0; n < 3'000; ++n) {
    std::vector<Offer> offers(2 + random() % 4);
    for (std::uint32_t i = 0; i < offers.size(); ++i)
      offers[i] = {i, 1 + random() % 7, static_cast<Amount>(random() % 10)};
    const std::uint32_t liar = static_cast<std::uint32_t>(random() % offers.size());
    const Amount worth = offers[liar].amount;
    const auto gain = [&] {
      const Allocation found = best_allocation(offers, 7);
      const std::vector<Amount> prices = vickrey_prices(offers, 7, found);
      for (std::size_t i = 0; i < prices.size(); ++i) {
        if (found.winners[i] == liar) return worth - prices[i];
      }
      return Amount{0};
    };
    const Amount honest = gain();
    offers[liar].amount = static_cast<Amount>(random() % 15);
    BOOST_TEST_REQUIRE(gain() <= honest, "case " << n);
  }
}

BOOST_AUTO_TEST_CASE(of_equal_offers_the_first_wins) {
  const std::vector<Offer> offers = {{4, 1, 3}, {2, 1, 3}, {1, 1, 3}};
  BOOST_TEST(best_allocation(offers, 1).winners == std::vector<std::uint32_t>{0});
}

// With a{x}, b{x}, c{y} and d{x,y}, the bidder that comes first is among the winners.
BOOST_AUTO_TEST_CASE(of_equal_allocations_the_one_with_the_first_offers_wins) {
  std::vector<Offer> offers = {{0, 1, 5}, {1, 1, 5}, {2, 2, 5}, {3, 3, 10}};
  const auto by_bidder = [](const Offer& a, const Offer& b) { return a.bidder < b.bidder; };
  for (const Goal& goal : {Goal{}, Goal{Best::lowest, {}}, Goal{Best::lowest, 7}}) {
    do {
      const Allocation found = best_allocation(offers, 3, goal);
      BOOST_TEST(found.exact);
      BOOST_TEST(found.winners.front() == 0U);
      const bool is_all = offers.front().bidder == 3;
      BOOST_TEST_REQUIRE(found.winners.size() == (is_all ? 1U : 2U));
      if (is_all || offers.front().bidder != 2) continue;
      // The other winner is then the earlier of a and b.
      BOOST_TEST(found.winners.back() == (offers[1].bidder == 3 ? 2U : 1U));
    } while (std::next_permutation(offers.begin(), offers.end(), by_bidder));
  }
}

BOOST_AUTO_TEST_CASE(many_equal_offers_are_decided_exactly) {
  std::mt19937_64 random(6);
  for (int n = 0; n < 10; ++n) {
    std::vector<Offer> offers(100);
    for (std::uint32_t i = 0; i < offers.size(); ++i) {
      offers[i].items = 0;
      while (std::popcount(offers[i].items) < 3) offers[i].items |= Items{1} << (random() % 16);
      offers[i].bidder = i;
      offers[i].amount = 300;
    }
    const Allocation found = best_allocation(offers, all_items(16));
    BOOST_TEST(found.exact);
    BOOST_TEST(found.winners.size() == 5U);
    BOOST_TEST(found.winners.front() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(sixteen_items_and_a_hundred_offers_are_decided_exactly) {
  std::mt19937_64 random(4);
  for (int n = 0; n < 10; ++n) {
    std::vector<Offer> offers(100);
    for (std::uint32_t i = 0; i < offers.size(); ++i) {
      for (int item = 0; item < 3; ++item) offers[i].items |= Items{1} << (random() % 16);
      offers[i].bidder = i / 2;
      offers[i].amount = static_cast<Amount>(100 + random() % 900);
    }
    BOOST_TEST(best_allocation(offers, all_items(16)).exact);
  }
}

BOOST_AUTO_TEST_CASE(a_search_that_is_cut_short_says_so_and_gives_what_it_has) {
  std::mt19937_64 random(5);
  std::vector<Offer> offers(60);
  for (std::uint32_t i = 0; i < offers.size(); ++i)
    offers[i] = {i, random() & all_items(30), static_cast<Amount>(1 + random() % 9)};
  const Allocation found = best_allocation(offers, all_items(30), {}, 40);
  BOOST_TEST(!found.exact);
  BOOST_TEST(!found.winners.empty());
  (void)score_of(offers, found);
}

BOOST_AUTO_TEST_CASE(the_largest_amounts_do_not_overflow) {
  std::vector<Offer> offers;
  for (std::uint32_t i = 0; i < items_limit; ++i)
    offers.push_back({i, Items{1} << i, amount_limit});
  BOOST_TEST(best_allocation(offers, ~Items{0}).winners.size() == items_limit);
  const Goal cheap{Best::lowest, {}};
  const Allocation found = best_allocation(offers, ~Items{0}, cheap);
  BOOST_TEST(found.winners.size() == items_limit);
  for (const Amount each : vickrey_prices(offers, ~Items{0}, found, cheap))
    BOOST_TEST(each == amount_limit);
}

BOOST_AUTO_TEST_CASE(a_rule_of_ones_own_must_choose_offers_that_go_together) {
  const std::vector<Offer> offers = {{0, 1, 5}, {0, 2, 5}, {1, 3, 1}};
  const auto rule = [](std::vector<std::uint32_t> chosen) {
    return AwardRule("mine", [chosen](std::span<const Offer>, Items) { return chosen; });
  };
  BOOST_TEST(rule({2}).choose(offers, 3, {}) == std::vector<std::uint32_t>{2});
  const auto is_bad = [](const Error& error) { return error.errc() == Errc::bad_options; };
  for (const auto& bad : {std::vector<std::uint32_t>{0, 1}, {1, 2}, {3}, {2, 2}})
    BOOST_CHECK_EXCEPTION((void)rule(bad).choose(offers, 3, {}), Error, is_bad);
  BOOST_CHECK_EXCEPTION((void)rule({2}).choose(offers, 1, {}), Error, is_bad);
  BOOST_CHECK_EXCEPTION((void)award_rule("nearest"), Error, is_bad);
  BOOST_TEST(award_rule("lowest").name() == "lowest");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf
