// A society with a message store finds mutations of the sending to that store.
#include "coracle/support/mutations.hpp"
#include "stores/storing_society.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>

namespace coracle::test::storing {

namespace {

constexpr std::uint64_t seeds_allowed = 300;

// The verdict of a seed with that mutation.
std::string wrong_by(std::uint64_t seed, Mutation bug) {
  coracle::chosen_mutation = bug;
  std::string wrong;
  try {
    StoringSociety society(seed);
    play(society, seed);
    wrong = society.wrong();
  } catch (const Failure& failure) {
    wrong = failure.what();
  }
  coracle::chosen_mutation = Mutation::none;
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stored)

BOOST_AUTO_TEST_CASE(mistakes_with_what_is_stored_are_found) {
  for (const Mutation bug : {Mutation::kept_too_early, Mutation::behind_is_kept,
                             Mutation::taken_back_unmarked, Mutation::not_taken_back}) {
    std::uint64_t seed = 1;
    while (seed <= seeds_allowed && wrong_by(seed, bug).empty()) ++seed;
    BOOST_TEST(seed <= seeds_allowed, "mistake " << static_cast<int>(bug) << " is not found");
    BOOST_TEST(wrong_by(seed, Mutation::none) == "");
    std::cout << "mutation: " << static_cast<int>(bug) << " is found by seed " << seed << "\n";
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test::storing
