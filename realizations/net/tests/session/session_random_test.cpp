// Sessions against their reference model, with cuts at any byte, restarts and peers given up.
#include "support/session_run.hpp"
#include "tests/support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net::test {
namespace {

using coracle::test::fewer;

BOOST_AUTO_TEST_SUITE(session_random)

BOOST_AUTO_TEST_CASE(whatever_happens_each_message_arrives_once_and_in_order) {
  std::uint64_t arrivals = 0, duplicates = 0, cuts = 0, restarts = 0;
  for (std::uint64_t seed = 0; seed < 2000 / fewer; ++seed) {
    try {
      SessionRun run(seed);
      run.run(600);
      run.drain();
      arrivals += run.ledger().arrivals;
      duplicates += run.duplicates();
      cuts += run.cuts();
      restarts += run.restarts();
    } catch (const Violation& violation) {
      BOOST_FAIL("seed " << seed << ": " << violation.what());
    }
  }
  // The runs covered enough of each kind of event.
  BOOST_TEST(arrivals > 150'000u / fewer);
  BOOST_TEST(duplicates > 5'000u / fewer);
  BOOST_TEST(cuts > 5'000u / fewer);
  BOOST_TEST(restarts > 1'000u / fewer);
  BOOST_TEST_MESSAGE(arrivals << " arrivals, " << duplicates << " duplicates, " << cuts << " cuts, "
                              << restarts << " restarts");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
