// The random runs find each mutation of a session.
#include "coracle/support/mutations.hpp"
#include "support/session_run.hpp"
#include "tests/support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <utility>

namespace coracle::net::test {
namespace {

// Returns the first seed that finds the bug, and the text of the violation.
std::optional<std::pair<std::uint64_t, std::string>> find(Mutation bug, std::uint64_t seeds) {
  chosen_mutation = bug;
  std::optional<std::pair<std::uint64_t, std::string>> found;
  for (std::uint64_t seed = 0; seed < seeds && !found; ++seed) {
    try {
      SessionRun run(seed);
      run.run(600);
      run.drain();
    } catch (const Violation& violation) {
      found.emplace(seed, violation.what());
    }
  }
  chosen_mutation = Mutation::none;
  return found;
}

BOOST_AUTO_TEST_SUITE(session)

BOOST_AUTO_TEST_CASE(every_mutation_is_found_within_2000_seeds) {
  const std::pair<Mutation, const char*> bugs[] = {
      {Mutation::watermark_ignored, "watermark_ignored"},
      {Mutation::acknowledged_too_far, "acknowledged_too_far"},
      {Mutation::rewound_too_little, "rewound_too_little"},
      {Mutation::credit_counted_again, "credit_counted_again"},
      {Mutation::credit_forgotten, "credit_forgotten"},
      {Mutation::restart_not_noticed, "restart_not_noticed"},
  };
  for (const auto& [bug, name] : bugs) {
    const auto found = find(bug, 2000);
    BOOST_TEST(found.has_value(), name << " was not found");
    if (found) BOOST_TEST_MESSAGE(name << ": seed " << found->first << ": " << found->second);
  }
}

BOOST_AUTO_TEST_CASE(without_a_bug_the_same_seeds_find_nothing) {
  const auto found = find(Mutation::none, 2000 / coracle::test::fewer);
  BOOST_TEST(!found.has_value(), (found ? found->second : std::string()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
