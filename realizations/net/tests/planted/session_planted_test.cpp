// Each mistake that is planted into a session is found by the random runs.
#include "realizations/net/src/session/planted.hpp"
#include "support/session_run.hpp"
#include "tests/support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <utility>

namespace coracle::net::test {
namespace {

// The first seed that finds the bug, and what it finds.
std::optional<std::pair<std::uint64_t, std::string>> find(Bug bug, std::uint64_t seeds) {
  planted_bug = bug;
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
  planted_bug = Bug::none;
  return found;
}

BOOST_AUTO_TEST_SUITE(session_planted)

BOOST_AUTO_TEST_CASE(every_planted_bug_is_found_within_2000_seeds) {
  const std::pair<Bug, const char*> bugs[] = {
      {Bug::watermark_ignored, "watermark_ignored"},
      {Bug::acknowledged_too_far, "acknowledged_too_far"},
      {Bug::rewound_too_little, "rewound_too_little"},
      {Bug::credit_counted_again, "credit_counted_again"},
      {Bug::credit_forgotten, "credit_forgotten"},
      {Bug::settlements_not_kept, "settlements_not_kept"},
      {Bug::settled_twice, "settled_twice"},
      {Bug::partial_off_by_one, "partial_off_by_one"},
      {Bug::chunk_kept_over_lives, "chunk_kept_over_lives"},
      {Bug::restart_not_noticed, "restart_not_noticed"},
      {Bug::unsettled_not_listed, "unsettled_not_listed"},
      {Bug::lanes_confused, "lanes_confused"},
  };
  for (const auto& [bug, name] : bugs) {
    const auto found = find(bug, 2000);
    BOOST_TEST(found.has_value(), name << " was not found");
    if (found) BOOST_TEST_MESSAGE(name << ": seed " << found->first << ": " << found->second);
  }
}

BOOST_AUTO_TEST_CASE(without_a_bug_the_same_seeds_find_nothing) {
  const auto found = find(Bug::none, 2000 / coracle::test::fewer);
  BOOST_TEST(!found.has_value(), (found ? found->second : std::string()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
