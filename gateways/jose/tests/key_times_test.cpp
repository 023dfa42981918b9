#include "key_times.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::jose {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(key_times)

BOOST_AUTO_TEST_CASE(keys_are_read_again_for_an_unknown_key_once_in_a_pause) {
  KeyTimes times(10min, 1min, Time(0s));
  BOOST_TEST(!times.begin(Time(59s), true));
  BOOST_TEST(!times.begin(Time(60s), false));
  BOOST_TEST(times.begin(Time(60s), true));
  BOOST_TEST(!times.begin(Time(200s), true));  // they are being read
  times.end(Time(201s), false);
  BOOST_TEST(times.begin(Time(202s), true));
  times.end(Time(203s), true);
  BOOST_TEST(!times.begin(Time(261s), true));
  BOOST_TEST(times.begin(Time(262s), true));
}

BOOST_AUTO_TEST_CASE(keys_are_read_again_when_they_are_old) {
  KeyTimes times(10min, 1min, Time(0s));
  BOOST_TEST(!times.begin(Time(599s), false));
  BOOST_TEST(times.begin(Time(600s), false));
  times.end(Time(601s), false);
  BOOST_TEST(!times.begin(Time(659s), false));
  BOOST_TEST(times.begin(Time(660s), false));
  times.end(Time(661s), true);
  BOOST_TEST(!times.begin(Time(1260s), false));
  BOOST_TEST(times.begin(Time(1261s), false));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::jose
