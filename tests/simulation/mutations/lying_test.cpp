// Each protection against a liar is removed in turn: societies with a liar find each mutation, and
// the same seeds find nothing without it.
#include "coracle/support/mutations.hpp"
#include "lying/lying_society.hpp"
#include "support/societies/expect.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>

namespace coracle::test::lying {

namespace {

constexpr std::uint64_t seeds_allowed = 2000;

struct LieOfMutation {
  const char* name;
  Mutation mutation;
  Linked kind;
};

constexpr LieOfMutation lies[] = {
    {"any_source", Mutation::any_source, Linked::distributed},
    {"any_store", Mutation::any_store, Linked::central},
    {"any_eavesdropper", Mutation::any_eavesdropper, Linked::distributed},
    {"any_report", Mutation::any_report, Linked::central},
    {"any_closing", Mutation::any_closing, Linked::central},
    {"any_answer", Mutation::any_answer, Linked::distributed},
    {"any_gap", Mutation::any_gap, Linked::central},
    {"any_tap", Mutation::any_tap, Linked::distributed},
    {"sends_unasked", Mutation::sends_unasked, Linked::central},
    {"sends_unasked", Mutation::sends_unasked, Linked::distributed},
    {"copies_unasked", Mutation::copies_unasked, Linked::central},
    {"refused_is_heard", Mutation::refused_is_heard, Linked::central},
    {"claims_unasked", Mutation::claims_unasked, Linked::central},
    {"joins_unasked", Mutation::joins_unasked, Linked::central},
    {"any_lease", Mutation::any_lease, Linked::central},
    {"any_relayed", Mutation::any_relayed, Linked::central},
};

Verdict play(std::uint64_t seed, const LieOfMutation& lie, bool is_mutated) {
  if (is_mutated) coracle::chosen_mutation = lie.mutation;
  PlayOptions options;
  options.kind = lie.kind;
  const Verdict verdict = play_with_liar(seed, options);
  coracle::chosen_mutation = Mutation::none;
  return verdict;
}

void expect_found(const LieOfMutation& lie) {
  for (std::uint64_t seed = 1; seed <= seeds_allowed; ++seed) {
    const Verdict with = play(seed, lie, true);
    if (with.wrong.empty()) continue;
    const Verdict without = play(seed, lie, false);
    if (!without.wrong.empty()) continue;
    std::cout << "mutation: " << lie.name << ": found by seed " << seed << ": "
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
