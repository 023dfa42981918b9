// The same seed gives the same run; different seeds give different runs; all runs keep the
// promises.
#include "support/seeds.hpp"
#include "plans.hpp"
#include "support/societies/expect.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <set>

namespace coracle::conformance {

BOOST_AUTO_TEST_SUITE(seeds)

BOOST_AUTO_TEST_CASE(a_thousand_seeds_run_twice_give_the_same_traces) {
  std::set<std::uint64_t> different;
  const unsigned seeds = test::some_seeds(1000);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Run first = run_seed(options_of(seed), Size::small);
    const Run second = run_seed(options_of(seed), Size::small);
    BOOST_TEST_REQUIRE(first.wrong == "");
    BOOST_TEST_REQUIRE(first.hash == second.hash);
    BOOST_TEST_REQUIRE(first.things == second.things);
    different.insert(first.hash);
  }
  BOOST_TEST(different.size() == seeds);
}

BOOST_AUTO_TEST_CASE(standard_workloads_keep_the_promises_under_every_seed) {
  std::uint64_t messages = 0;
  const std::uint64_t begin = sim::seed_from_environment(1);
  const unsigned seeds = test::some_seeds(200);
  for (std::uint64_t seed = begin; seed < begin + seeds; ++seed) {
    const Run run = run_seed(options_of(seed), Size::standard);
    const std::string command = "scripts/simulate --seed " + std::to_string(seed);
    BOOST_TEST_REQUIRE(run.wrong == "", report(run, command));
    messages += run.messages;
  }
  std::cout << seeds << " standard workloads: " << messages / seeds << " messages each\n";
}

BOOST_AUTO_TEST_CASE(five_nodes_keep_the_promises_under_faults) {
  std::uint64_t messages = 0;
  const std::uint64_t begin = sim::seed_from_environment(1);
  const std::uint64_t seeds = test::slowness == 1 ? 200 : 30;
  for (std::uint64_t seed = begin; seed < begin + seeds; ++seed) {
    const Run run = run_seed(options_of(seed), Size::standard, {}, "sim:nodes=5");
    const std::string command =
        "scripts/simulate --realization sim:nodes=5 --seed " + std::to_string(seed);
    BOOST_TEST_REQUIRE(run.wrong == "", report(run, command));
    messages += run.messages;
  }
  std::cout << seeds << " standard workloads on five nodes: " << messages / seeds
            << " messages each\n";
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
