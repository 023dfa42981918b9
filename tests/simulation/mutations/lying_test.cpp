// Each protection against a liar is removed in turn: societies with a liar find each mutation, and
// the same seeds find nothing without it.
#include "coracle/support/mutations.hpp"
#include "lying/lying_society.hpp"
#include "mutations/known_seed.hpp"
#include "support/societies/expect.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>

namespace coracle::test::lying {

namespace {

constexpr std::uint64_t seeds_allowed = 6000;

struct LieOfMutation {
  const char* name;
  Mutation mutation;
  Linked kind;
  std::uint64_t seed;  // that finds it
  bool ends_process = false;
};

constexpr LieOfMutation lies[] = {
    {"any_source", Mutation::any_source, Linked::distributed, 121},
    {"any_store", Mutation::any_store, Linked::central, 1},
    {"any_eavesdropper", Mutation::any_eavesdropper, Linked::distributed, 34},
    {"any_report", Mutation::any_report, Linked::distributed, 4562},
    {"any_closing", Mutation::any_closing, Linked::central, 3},
    {"any_answer", Mutation::any_answer, Linked::distributed, 1686},
    {"any_gap", Mutation::any_gap, Linked::central, 1851},
    {"any_tap", Mutation::any_tap, Linked::distributed, 3},
    {"sends_unasked", Mutation::sends_unasked, Linked::central, 1},
    {"sends_unasked", Mutation::sends_unasked, Linked::distributed, 3},
    {"copies_unasked", Mutation::copies_unasked, Linked::central, 2},
    {"refused_is_heard", Mutation::refused_is_heard, Linked::central, 11},
    {"claims_unasked", Mutation::claims_unasked, Linked::central, 3},
    {"joins_unasked", Mutation::joins_unasked, Linked::central, 16},
    {"any_lease", Mutation::any_lease, Linked::central, 28},
    {"any_relayed", Mutation::any_relayed, Linked::central, 269},
    {"any_probe", Mutation::any_probe, Linked::central, 6, true},
    {"any_tracked", Mutation::any_tracked, Linked::central, 119, true},
    {"any_generation", Mutation::any_generation, Linked::central, 2},
    {"mentioned_is_kept", Mutation::mentioned_is_kept, Linked::central, 783},
    {"mute_is_awaited", Mutation::mute_is_awaited, Linked::central, 28},
    {"any_character", Mutation::any_character, Linked::central, 546},
};

Verdict play(std::uint64_t seed, const LieOfMutation& lie, bool is_mutated) {
  if (is_mutated) coracle::chosen_mutation = lie.mutation;
  PlayOptions options;
  options.kind = lie.kind;
  const Verdict verdict = play_with_liar(seed, options);
  coracle::chosen_mutation = Mutation::none;
  return verdict;
}

// Plays in a process of its own, which may crash; returns what is wrong.
std::string play_apart(std::uint64_t seed, const LieOfMutation& lie) {
  std::cout.flush();
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGSEGV, SIG_DFL);  // Boost.Test would catch it, and go on with the test
    ::_exit(play(seed, lie, true).wrong.empty() ? 0 : 1);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) throw std::runtime_error("no process");
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : "a promise is broken";
}

void expect_found(const LieOfMutation& lie) {
  std::string wrong;
  const auto finds = [&](std::uint64_t seed) {
    wrong = lie.ends_process ? play_apart(seed, lie) : play(seed, lie, true).wrong;
    return !wrong.empty() && play(seed, lie, false).wrong.empty();
  };
  const auto seed = test::seed_that_finds(lie.seed, seeds_allowed, finds);
  BOOST_TEST(seed.has_value(), seeds_allowed << " seeds have not found " << lie.name);
  if (!seed) return;
  std::cout << "mutation: " << lie.name << ": found by seed " << *seed << ": "
            << wrong.substr(0, wrong.find('\n')) << '\n';
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lying)

BOOST_AUTO_TEST_CASE(each_check_that_is_left_out_is_missed_within_6000_seeds) {
  for (std::size_t number = 0; number < std::size(lies); ++number) {
    if (number % test::slowness == 0) expect_found(lies[number]);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test::lying
