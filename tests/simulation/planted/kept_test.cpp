// Each mistake that is planted into handing over and into the custodian is found by societies whose
// custodian loses its power; the same seeds find nothing without it.
#include "kept_society.hpp"
#include "runtime/planted.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

using coracle::detail::Bug;

constexpr std::uint64_t seeds_allowed = 2000;

struct PlantedBug {
  Bug bug;
  const char* name;
};

constexpr PlantedBug bugs[] = {
    {Bug::handed_over_backwards, "handed_over_backwards"},
    {Bug::silence_is_consent, "silence_is_consent"},
    {Bug::kept_before_stored, "kept_before_stored"},
    {Bug::opened_is_forgotten, "opened_is_forgotten"},
};

// In a slow build some of them show enough: that all this works there, too.
std::vector<PlantedBug> some_of(std::span<const PlantedBug> all) {
  std::vector<PlantedBug> some;
  for (std::size_t i = 0; i < all.size(); i += slowness) some.push_back(all[i]);
  return some;
}

std::string play(std::uint64_t seed, Bug bug) {
  coracle::detail::planted_bug = bug;
  std::string wrong;
  try {
    KeptSociety society(seed);
    society.play();
    wrong = society.wrong();
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  coracle::detail::planted_bug = Bug::none;
  return wrong;
}

BOOST_AUTO_TEST_SUITE(kept)

BOOST_AUTO_TEST_CASE(mistakes_of_handing_over_are_found_within_2000_seeds) {
  auto left = some_of(bugs);
  for (std::uint64_t seed = 1; seed <= seeds_allowed && !left.empty(); ++seed) {
    std::erase_if(left, [seed](const PlantedBug& planted) {
      const std::string wrong = play(seed, planted.bug);
      if (wrong.empty()) return false;
      const std::string without = play(seed, Bug::none);
      BOOST_TEST(without == "", "without it: " << without);
      std::cout << "planted: " << planted.name << ": found by seed " << seed << ": "
                << wrong.substr(0, wrong.find(';')) << std::endl;
      return true;
    });
  }
  for (const PlantedBug& planted : left)
    BOOST_ERROR(seeds_allowed << " seeds have not found " << planted.name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
