#include "runtime/worker/turn_length.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle {
namespace {

using detail::TurnLength;

// Returns whether a turn goes on after that; a turn that the clock ends meanwhile is tried again.
bool goes_on(int messages, std::size_t bytes) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    TurnLength length;
    length.begin();
    for (int i = 0; i < messages; ++i) length.queued(bytes);
    if (!length.is_over()) return true;
  }
  return false;
}

BOOST_AUTO_TEST_SUITE(turn_length)

BOOST_AUTO_TEST_CASE(a_turn_ends_when_enough_is_to_go_to_other_nodes) {
  BOOST_TEST(goes_on(511, 64));
  BOOST_TEST(!goes_on(512, 64));
  BOOST_TEST(goes_on(56, 1024));
  BOOST_TEST(!goes_on(57, 1024));
  BOOST_TEST(!goes_on(1, 64 * 1024));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
