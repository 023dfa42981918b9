// Links against the reference model, in the simulated network with all its faults.
#include "support/link_run.hpp"
#include "tests/support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;

using coracle::test::fewer;

BOOST_AUTO_TEST_SUITE(link_random)

BOOST_AUTO_TEST_CASE(whatever_happens_to_the_network_nothing_is_lost_or_doubled) {
  std::uint64_t arrivals = 0, faults = 0, opened = 0, restarted = 0, suspected = 0;
  for (std::uint64_t seed = 0; seed < 400 / fewer; ++seed) {
    try {
      LinkRun run(seed);
      run.run(20s);
      run.drain();
      arrivals += run.ledger().arrivals;
      faults += run.faults();
      opened += run.opened;
      restarted += run.restarted;
      suspected += run.suspected;
    } catch (const Violation& violation) {
      BOOST_FAIL("seed " << seed << ": " << violation.what());
    }
  }
  // The runs covered enough of each kind of event.
  BOOST_TEST(arrivals > 40'000u / fewer);
  BOOST_TEST(opened > 1'200u / fewer);
  BOOST_TEST(restarted > 80u / fewer);
  BOOST_TEST(suspected > 80u / fewer);
  BOOST_TEST_MESSAGE(arrivals << " arrivals, " << faults << " faults, " << opened << " openings, "
                              << restarted << " restarts, " << suspected << " suspicions");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
