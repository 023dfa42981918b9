// Societies whose message store loses its power find each mutation of the hand-over and of the
// message store; the same seeds find nothing without a mutation.
#include "coracle/support/mutations.hpp"
#include "stores/hand_over_society.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

constexpr std::uint64_t seeds_allowed = 2000;

struct NamedMutation {
  Mutation bug;
  const char* name;
};

constexpr NamedMutation bugs[] = {
    {Mutation::handed_over_backwards, "handed_over_backwards"},
    {Mutation::silence_is_consent, "silence_is_consent"},
    {Mutation::kept_before_stored, "kept_before_stored"},
    {Mutation::opened_is_forgotten, "opened_is_forgotten"},
};

// In a slow build, some mutations suffice to show that the test works there, too.
std::vector<NamedMutation> some_of(std::span<const NamedMutation> all) {
  std::vector<NamedMutation> some;
  for (std::size_t i = 0; i < all.size(); i += slowness) some.push_back(all[i]);
  return some;
}

std::string play(std::uint64_t seed, Mutation bug) {
  coracle::chosen_mutation = bug;
  std::string wrong;
  try {
    HandOverSociety society(seed);
    society.play();
    wrong = society.wrong();
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  coracle::chosen_mutation = Mutation::none;
  return wrong;
}

BOOST_AUTO_TEST_SUITE(kept)

BOOST_AUTO_TEST_CASE(mistakes_of_handing_over_are_found_within_2000_seeds) {
  auto left = some_of(bugs);
  for (std::uint64_t seed = 1; seed <= seeds_allowed && !left.empty(); ++seed) {
    std::erase_if(left, [seed](const NamedMutation& named) {
      const std::string wrong = play(seed, named.bug);
      if (wrong.empty()) return false;
      const std::string without = play(seed, Mutation::none);
      BOOST_TEST(without == "", "without it: " << without);
      std::cout << "mutation: " << named.name << ": found by seed " << seed << ": "
                << wrong.substr(0, wrong.find(';')) << std::endl;
      return true;
    });
  }
  for (const NamedMutation& named : left)
    BOOST_ERROR(seeds_allowed << " seeds have not found " << named.name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
