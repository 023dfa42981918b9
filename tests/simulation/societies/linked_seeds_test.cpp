// Generated societies over the Distributed realization's own links and directory, on simulated
// hosts that become unreachable from each other, and lose their power.
#include "plans.hpp"
#include "support/societies/expect.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <set>

namespace coracle::conformance {

namespace {

constexpr const char* linked = "distributed:nodes=5";

void keep_the_promises(Size size, std::uint64_t seeds) {
  std::uint64_t messages = 0;
  const std::uint64_t begin = sim::seed_from_environment(1);
  for (std::uint64_t seed = begin; seed < begin + seeds; ++seed) {
    const Run run = run_seed(options_of(seed), size, {}, linked);
    std::string command = "scripts/simulate --realization " + std::string(linked);
    if (size == Size::small) command += " --small";
    BOOST_TEST_REQUIRE(run.wrong == "", report(run, command + " --seed " + std::to_string(seed)));
    messages += run.messages;
  }
  std::cout << seeds << " workloads on five linked nodes: " << messages / seeds
            << " messages each\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linked_seeds)

BOOST_AUTO_TEST_CASE(a_seed_gives_the_same_trace_again) {
  std::set<std::uint64_t> different;
  constexpr std::uint64_t seeds = 30;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Run first = run_seed(options_of(seed), Size::small, {}, linked);
    const Run second = run_seed(options_of(seed), Size::small, {}, linked);
    BOOST_TEST_REQUIRE(first.hash == second.hash);
    BOOST_TEST_REQUIRE(first.things == second.things);
    different.insert(first.hash);
  }
  BOOST_TEST(different.size() == seeds);
}

BOOST_AUTO_TEST_CASE(small_workloads_keep_the_promises_under_faults) {
  keep_the_promises(Size::small, test::slowness == 1 ? 200 : 30);
}

BOOST_AUTO_TEST_CASE(standard_workloads_keep_the_promises_under_faults) {
  keep_the_promises(Size::standard, test::slowness == 1 ? 20 : 4);
}

BOOST_AUTO_TEST_CASE(patterns_that_are_tried_one_by_one_change_no_trace) {
  std::uint64_t messages = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Run set = run_seed(options_of(seed), Size::small, {}, "central:nodes=5");
    const Run linear = run_seed(options_of(seed), Size::small, {}, "central:matching=linear");
    BOOST_TEST_REQUIRE(set.hash == linear.hash);
    messages += linear.messages;
  }
  BOOST_TEST(messages > 0U);
}

BOOST_AUTO_TEST_CASE(how_messages_are_fetched_changes_the_trace) {
  const Run pushed = run_seed(options_of(1), Size::small, {}, "central:nodes=5");
  const Run polled = run_seed(options_of(1), Size::small, {}, "central:delivery=poll");
  BOOST_TEST(pushed.hash != polled.hash);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
