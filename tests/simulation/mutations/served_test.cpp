// Generated societies on five nodes find each mutation of the clearinghouse or the directory; the
// same seeds find nothing without it.
#include "coracle/support/mutations.hpp"
#include "mutations/known_seed.hpp"
#include "plans.hpp"
#include "support/societies/expect.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::conformance {

namespace {

constexpr std::uint64_t seeds_allowed = 2000;
constexpr const char* central = "central:nodes=5";

struct NamedMutation {
  Mutation bug;
  const char* name;
  const char* realization;
  std::uint64_t seed;  // that finds it
};

constexpr NamedMutation bugs[] = {
    {Mutation::relayed_twice, "relayed_twice", central, 1},
    {Mutation::away_is_gone, "away_is_gone", central, 90},
    {Mutation::lease_end_not_told, "lease_end_not_told", central, 1},
};

Run play(std::uint64_t seed, const NamedMutation& named, Mutation bug) {
  coracle::chosen_mutation = bug;
  Run run = run_seed(options_of(seed), Size::small, {}, named.realization);
  coracle::chosen_mutation = Mutation::none;
  return run;
}

bool is_found(const NamedMutation& named, std::uint64_t seed) {
  const Run run = play(seed, named, named.bug);
  if (run.wrong.empty()) return false;
  std::cout << "mutation: " << named.name << " (" << named.realization << "): found by seed "
            << seed << ": " << run.wrong.substr(0, run.wrong.find('\n')) << std::endl;
  const Run without = play(seed, named, Mutation::none);
  test::expect(without.wrong.empty(), "without it: " + without.wrong);
  return true;
}

// In a slow build, some mutations suffice to show that the test works there, too. CORACLE_MUTATION
// names a single mutation to run.
std::vector<NamedMutation> some_of(std::span<const NamedMutation> all) {
  const char* const only = std::getenv("CORACLE_MUTATION");
  std::vector<NamedMutation> some;
  for (std::size_t i = 0; i < all.size(); i += test::slowness) {
    if (only == nullptr || std::string_view(only) == all[i].name) some.push_back(all[i]);
  }
  return some;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(served)

BOOST_AUTO_TEST_CASE(mistakes_of_servers_are_found_within_2000_seeds) {
  for (const NamedMutation& named : some_of(bugs)) {
    const auto finds = [&](std::uint64_t seed) { return is_found(named, seed); };
    BOOST_TEST(test::seed_that_finds(named.seed, seeds_allowed, finds).has_value(),
               seeds_allowed << " seeds have not found " << named.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
