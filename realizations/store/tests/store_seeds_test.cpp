// Thousands of runs of the program on a disk that fails in every possible way.
#include "support/store_player.hpp"
#include "tests/support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>

namespace coracle::store::test {
namespace {

std::uint64_t seeds() {
  const char* text = std::getenv("CORACLE_STORE_SEEDS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 1500 / coracle::test::fewer;
}

BOOST_AUTO_TEST_SUITE(store_seeds)

BOOST_AUTO_TEST_CASE(what_was_promised_is_there_after_any_life) {
  StorePlayer::Seen sum;
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    StorePlayer player(seed);
    const std::string verdict = player.play();
    BOOST_REQUIRE_MESSAGE(verdict.empty(), "seed " << seed << ": " << verdict);
    const StorePlayer::Seen& seen = player.seen();
    sum.lives += seen.lives;
    sum.stored += seen.stored;
    sum.refused += seen.refused;
    sum.failed_syncs += seen.failed_syncs;
    sum.cleaned += seen.cleaned;
    sum.torn += seen.torn;
    sum.died_in_recovery += seen.died_in_recovery;
  }
  BOOST_TEST_MESSAGE(sum.lives << " lives, " << sum.stored << " stored, " << sum.refused
                               << " refused, " << sum.failed_syncs << " failed syncs, "
                               << sum.cleaned << " segments cleaned, " << sum.torn << " torn ends, "
                               << sum.died_in_recovery << " died in recovery");
  // A run without faults proves nothing.
  BOOST_TEST(sum.stored > seeds() * 50);
  BOOST_TEST(sum.refused > seeds());
  BOOST_TEST(sum.failed_syncs > seeds() / 10);
  BOOST_TEST(sum.cleaned > seeds());
  BOOST_TEST(sum.torn > seeds() / 10);
  BOOST_TEST(sum.died_in_recovery > seeds() / 10);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::store::test
