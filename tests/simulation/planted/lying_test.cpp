// What keeps a member that lies from doing harm, left out one by one: societies with a liar find
// each, and the same seeds find nothing without it.
#include "lying/lying_society.hpp"
#include "realizations/net/src/society/planted.hpp"
#include "runtime/planted.hpp"
#include "support/expect.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>

namespace coracle::test::lying {

namespace {

using Core = coracle::detail::Bug;
using Service = society::Bug;

constexpr std::uint64_t seeds_allowed = 2000;

struct PlantedLie {
  const char* name;
  Core core;
  Service service;
  Linked kind;
};

constexpr PlantedLie lies[] = {
    {"any_source", Core::any_source, Service::none, Linked::distributed},
    {"any_keeper", Core::any_keeper, Service::none, Linked::central},
    {"any_hearer", Core::any_hearer, Service::none, Linked::distributed},
    {"any_mark", Core::any_mark, Service::none, Linked::central},
    {"any_closing", Core::any_closing, Service::none, Linked::central},
    {"any_answer", Core::any_answer, Service::none, Linked::distributed},
    {"any_gap", Core::any_gap, Service::any_gap, Linked::central},
    {"any_ear", Core::any_ear, Service::none, Linked::distributed},
    {"sends_unasked", Core::none, Service::sends_unasked, Linked::central},
    {"sends_unasked", Core::none, Service::sends_unasked, Linked::distributed},
    {"copies_unasked", Core::none, Service::copies_unasked, Linked::central},
    {"refused_is_heard", Core::none, Service::refused_is_heard, Linked::central},
    {"claims_unasked", Core::none, Service::claims_unasked, Linked::central},
    {"joins_unasked", Core::none, Service::joins_unasked, Linked::central},
    {"any_lease", Core::none, Service::any_lease, Linked::central},
    {"any_relayed", Core::none, Service::any_relayed, Linked::central},
};

Verdict play(std::uint64_t seed, const PlantedLie& lie, bool is_planted) {
  if (is_planted) {
    coracle::detail::planted_bug = lie.core;
    society::planted_bug = lie.service;
  }
  PlayOptions options;
  options.kind = lie.kind;
  const Verdict verdict = play_with_liar(seed, options);
  coracle::detail::planted_bug = Core::none;
  society::planted_bug = Service::none;
  return verdict;
}

void expect_found(const PlantedLie& lie) {
  for (std::uint64_t seed = 1; seed <= seeds_allowed; ++seed) {
    const Verdict with = play(seed, lie, true);
    if (with.wrong.empty()) continue;
    const Verdict without = play(seed, lie, false);
    if (!without.wrong.empty()) continue;
    std::cout << "planted: " << lie.name << ": found by seed " << seed << ": "
              << with.wrong.substr(0, with.wrong.find('\n')) << '\n';
    return;
  }
  BOOST_ERROR(std::to_string(seeds_allowed) + " seeds have not found " + lie.name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lying)

BOOST_AUTO_TEST_CASE(each_check_that_is_left_out_is_missed_within_2000_seeds) {
  for (std::size_t number = 0; number < std::size(lies); ++number) {
    if (number % test::slowness == 0) expect_found(lies[number]);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test::lying
