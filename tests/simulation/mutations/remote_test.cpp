// Generated societies on five nodes find each mutation of the protocol between nodes; the same
// seeds find nothing without it.
#include "coracle/support/mutations.hpp"
#include "mutations/known_seed.hpp"
#include "plans.hpp"
#include "support/societies/expect.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iostream>

namespace coracle::conformance {

namespace {

constexpr std::uint64_t seeds_allowed = 2000;

struct NamedMutation {
  Mutation bug;
  const char* name;
  int promise;  // the promise that is usually broken
  std::uint64_t seed;  // that finds it
};

constexpr NamedMutation bugs[] = {
    {Mutation::taken_back_unmarked, "taken_back_unmarked", 3, 1},
    {Mutation::taken_back_last, "taken_back_last", 2, 1},
    {Mutation::not_taken_back, "not_taken_back", 3, 1},
    {Mutation::next_holder_too_early, "next_holder_too_early", 3, 3},
    {Mutation::one_report_too_many, "one_report_too_many", 3, 1},
    {Mutation::read_taken_for_unread, "read_taken_for_unread", 3, 2},
    {Mutation::tap_not_told, "ear_not_told", 7, 6},
    {Mutation::taps_not_asked_for, "ears_not_asked_for", 7, 414},
    {Mutation::any_size, "any_size", 10, 1},
    {Mutation::copy_forgotten, "copy_forgotten", 7, 4},
    {Mutation::name_not_lost, "name_not_lost", 3, 1},
    {Mutation::moved_on_not_counted, "moved_on_not_counted", 3, 1},
};

Run play(std::uint64_t seed, Mutation bug,
         const std::optional<sim::Faults>& faults = std::nullopt) {
  coracle::chosen_mutation = bug;
  Run run = run_seed(options_of(seed), Size::standard, {}, "sim:nodes=5", faults);
  coracle::chosen_mutation = Mutation::none;
  return run;
}

void expect_found(const NamedMutation& named) {
  const std::string broken = "promise " + std::to_string(named.promise) + " is broken";
  std::string wrong;
  const auto finds = [&](std::uint64_t seed) {
    wrong = play(seed, named.bug).wrong;
    return wrong.find(broken) != std::string::npos;
  };
  const auto seed = test::seed_that_finds(named.seed, seeds_allowed, finds);
  test::expect(seed.has_value(),
               std::to_string(seeds_allowed) + " seeds have not found " + named.name);
  std::cout << "mutation: " << named.name << ": found by seed " << *seed << ": "
            << wrong.substr(0, wrong.find('\n')) << '\n';
  const Run without = play(*seed, Mutation::none);
  test::expect(without.wrong.empty(), "without it: " + without.wrong);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(remote)

BOOST_AUTO_TEST_CASE(mistakes_between_nodes_are_found_within_2000_seeds) {
  for (std::size_t number = 0; number < std::size(bugs); ++number) {
    // In a slow build, some mutations suffice to show that the test works there, too.
    if (number % test::slowness == 0) expect_found(bugs[number]);
  }
}

// A restarted node did not ask who overhears: this takes a crash, and some luck.
BOOST_AUTO_TEST_CASE(the_faults_of_a_run_that_failed_are_reduced_to_those_that_matter) {
  if (test::slowness != 1) return;  // many runs
  const auto finds = [](std::uint64_t each) {
    return !play(each, Mutation::taps_not_asked_for).wrong.empty();
  };
  const auto found = test::seed_that_finds(414, seeds_allowed, finds);
  BOOST_TEST_REQUIRE(found.has_value());
  const std::uint64_t seed = *found;
  coracle::chosen_mutation = Mutation::taps_not_asked_for;
  const auto needed = faults_needed(options_of(seed), Size::standard, "sim:nodes=5");
  coracle::chosen_mutation = Mutation::none;
  const sim::Faults all = sim::random_faults(seed, 5);
  const sim::Faults left = sim::only(all, needed);
  const auto is_crash = [](const sim::Fault& fault) {
    return fault.kind == sim::Fault::Kind::crash;
  };
  BOOST_TEST(play(seed, Mutation::taps_not_asked_for, left).wrong != "");
  BOOST_TEST(play(seed, Mutation::taps_not_asked_for, sim::Faults()).wrong == "");
  BOOST_TEST(std::ranges::any_of(left, is_crash));
  std::cout << "seed " << seed << ": " << left.size() << " of its " << all.size()
            << " faults suffice\n";
  for (const sim::Fault& fault : left) std::cout << "  " << to_string(fault) << '\n';
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
