// Mistakes that are planted into what is entrusted to a custodian are found by its society.
#include "entrusting_society.hpp"
#include "runtime/planted.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>

namespace coracle::test::entrusting {

namespace {

using coracle::detail::Bug;

constexpr std::uint64_t seeds_allowed = 300;

// What is wrong under a seed, with that mistake.
std::string wrong_by(std::uint64_t seed, Bug bug) {
  coracle::detail::planted_bug = bug;
  std::string wrong;
  try {
    EntrustingSociety society(seed);
    play(society, seed);
    wrong = society.wrong();
  } catch (const Failure& failure) {
    wrong = failure.what();
  }
  coracle::detail::planted_bug = Bug::none;
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(entrusted)

BOOST_AUTO_TEST_CASE(mistakes_with_what_is_entrusted_are_found) {
  for (const Bug bug :
       {Bug::kept_too_early, Bug::behind_is_kept, Bug::taken_back_unmarked, Bug::not_taken_back}) {
    std::uint64_t seed = 1;
    while (seed <= seeds_allowed && wrong_by(seed, bug).empty()) ++seed;
    BOOST_TEST(seed <= seeds_allowed, "mistake " << static_cast<int>(bug) << " is not found");
    BOOST_TEST(wrong_by(seed, Bug::none) == "");
    std::cout << "planted: " << static_cast<int>(bug) << " is found by seed " << seed << "\n";
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test::entrusting
