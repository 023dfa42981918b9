// Societies whose message store loses its power find each mutation of the hand-over and of the
// message store; the same seeds find nothing without a mutation.
#include "coracle/support/mutations.hpp"
#include "mutations/known_seed.hpp"
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
  std::uint64_t seed;  // that finds it
};

constexpr NamedMutation bugs[] = {
    {Mutation::handed_over_backwards, "handed_over_backwards", 1},
    {Mutation::silence_is_consent, "silence_is_consent", 6},
    {Mutation::kept_before_stored, "kept_before_stored", 450},
    {Mutation::opened_is_forgotten, "opened_is_forgotten", 2},
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

bool is_found(const NamedMutation& named, std::uint64_t seed) {
  const std::string wrong = play(seed, named.bug);
  if (wrong.empty()) return false;
  const std::string without = play(seed, Mutation::none);
  BOOST_TEST(without == "", "without it: " << without);
  std::cout << "mutation: " << named.name << ": found by seed " << seed << ": "
            << wrong.substr(0, wrong.find(';')) << std::endl;
  return true;
}

BOOST_AUTO_TEST_SUITE(kept)

BOOST_AUTO_TEST_CASE(mistakes_of_handing_over_are_found_within_2000_seeds) {
  for (const NamedMutation& named : some_of(bugs)) {
    const auto finds = [&](std::uint64_t seed) { return is_found(named, seed); };
    BOOST_TEST(seed_that_finds(named.seed, seeds_allowed, finds).has_value(),
               seeds_allowed << " seeds have not found " << named.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
