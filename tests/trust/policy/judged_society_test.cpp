// The real permissions of agents in a society with a policy, against the oracle. CORACLE_SEEDS is
// the number of societies.
#include "judged_society.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>

namespace coracle::trust {

namespace {

constexpr unsigned acts = 40;

void judge(test::Linked kind) {
  const std::uint64_t seeds = test::seeds_to_play(50);
  std::uint64_t compared = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    JudgedSociety society(seed, kind);
    for (unsigned act = 0; act < acts; ++act) {
      const std::string wrong = society.act();
      BOOST_TEST_REQUIRE(wrong == "", "seed " << seed << ", act " << act << ": " << wrong);
    }
    compared += society.compared();
    refused += society.refused();
  }
  BOOST_TEST(refused > compared / 10);
  BOOST_TEST(compared - refused > compared / 10);
  std::cout << compared << " answers of " << seeds << " societies, " << refused
            << " of them that something is refused\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(judged_society)

BOOST_AUTO_TEST_CASE(what_agents_can_do_with_a_clearinghouse_is_what_the_policy_allows) {
  judge(test::Linked::central);
}

BOOST_AUTO_TEST_CASE(what_agents_can_do_among_nodes_with_links_is_what_the_policy_allows) {
  judge(test::Linked::distributed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
