// The rules by which a plan is preferred to another.
#include "coracle/caf/negotiation/selection.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace coracle::caf {

namespace {

struct Two {
  std::vector<std::int64_t> scores;
  std::int64_t cost = 0;
  operator Outlook() const { return {scores, cost}; }
};

const std::vector<Interest> both = {{"ann", 10, 0, 1, 0}, {"bob", 10, 0, 1, 1}};

bool prefers(const Selection& rule, const Two& one, const Two& other,
             const std::vector<Interest>& clients = both) {
  return rule.compare(one, other, clients) > 0 && rule.compare(other, one, clients) < 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(selection)

BOOST_AUTO_TEST_CASE(what_more_clients_agree_to_is_preferred_and_then_what_is_cheaper) {
  const Selection rule = mutually_agreeable();
  BOOST_TEST(prefers(rule, Two{{10, 10}, 9}, Two{{99, 9}, 1}));
  BOOST_TEST(prefers(rule, Two{{10, 10}, 8}, Two{{99, 99}, 9}));
  BOOST_TEST(prefers(rule, Two{{10, 11}, 8}, Two{{10, 10}, 8}));
  // One client agrees to either plan; but with the first, the other client gains something, too.
  BOOST_TEST(prefers(rule, Two{{10, 1}, 9}, Two{{10, 0}, 1}));
}

BOOST_AUTO_TEST_CASE(the_product_of_gains_is_exact_and_nobody_loses) {
  const Selection rule = nash();
  BOOST_TEST(prefers(rule, Two{{5, 5}, 0}, Two{{8, 3}, 0}));
  BOOST_TEST(prefers(rule, Two{{1, 0}, 0}, Two{{90, -1}, 0}));
  BOOST_TEST(prefers(rule, Two{{1, 1}, 0}, Two{{0, 90}, 0}));
  const std::int64_t much = std::int64_t{1} << 40;
  const std::vector<Interest> four = {{"a"}, {"b"}, {"c"}, {"d"}};
  BOOST_TEST(
      prefers(rule, Two{{much, much, much, much}, 0}, Two{{much, much, much, much - 1}, 0}, four));
  const std::vector<Interest> proud = {{"ann", 0, 4, 1, 0}, {"bob", 0, 0, 1, 0}};
  BOOST_TEST(prefers(rule, Two{{8, 3}, 0}, Two{{5, 5}, 0}, proud));
}

BOOST_AUTO_TEST_CASE(sums_count_by_weight) {
  const Selection rule = utilitarian();
  BOOST_TEST(prefers(rule, Two{{9, 0}, 0}, Two{{4, 4}, 0}));
  const std::vector<Interest> heavy = {{"ann", 0, 0, 1, 0}, {"bob", 0, 0, 3, 0}};
  BOOST_TEST(prefers(rule, Two{{4, 4}, 0}, Two{{9, 0}, 0}, heavy));
  BOOST_TEST(prefers(rule, Two{{4, 4}, 1}, Two{{4, 4}, 2}));
}

BOOST_AUTO_TEST_CASE(whoever_gains_least_comes_first_or_whoever_has_priority) {
  BOOST_TEST(prefers(leximin(), Two{{4, 3}, 0}, Two{{99, 2}, 0}));
  BOOST_TEST(prefers(leximin(), Two{{3, 5}, 0}, Two{{4, 3}, 0}));
  BOOST_TEST(prefers(lexicographic(), Two{{0, 5}, 0}, Two{{99, 4}, 0}));
  BOOST_TEST(prefers(lexicographic(), Two{{1, 5}, 0}, Two{{0, 5}, 0}));
}

BOOST_AUTO_TEST_CASE(rules_have_names_and_others_are_refused) {
  for (const char* each : {"mutual", "nash", "utilitarian", "leximin", "lexicographic",
                           "pareto:utilitarian", "pareto:nash", "max_n", "paranoid"}) {
    BOOST_TEST(Selection::named(each).value().name() == each);
  }
  BOOST_TEST(Selection::named("pareto").value().name() == "pareto:utilitarian");
  for (const char* each : {"", "best", "pareto:", "pareto:max_n", "pareto:pareto"}) {
    const auto none = Selection::named(each);
    BOOST_TEST_REQUIRE(!none);
    BOOST_TEST((none.error().errc() == Errc::bad_options));
  }
}

BOOST_AUTO_TEST_CASE(no_rule_sees_a_plan_as_less_that_is_as_good_for_everybody) {
  const char* const names[] = {"mutual", "nash", "utilitarian", "leximin", "lexicographic"};
  for (const char* each : names) {
    const Selection rule = Selection::named(each).value();
    for (int code = 0; code < 4 * 4 * 4 * 4 * 9; ++code) {
      const auto digit = [&](int place, int base) { return code / place % base; };
      const Two one{{7 * digit(1, 4) - 1, 7 * digit(4, 4) - 1}, digit(256, 3)};
      const Two other{{7 * digit(16, 4) - 1, 7 * digit(64, 4) - 1}, digit(768, 3)};
      const auto by = rule.compare(one, other, both);
      if (!is_as_good(one, other)) continue;
      const bool is_same = is_as_good(other, one);
      BOOST_TEST_REQUIRE((is_same ? by == 0 : by > 0), each << ", case " << code);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf
