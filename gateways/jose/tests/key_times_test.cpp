#include "key_times.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::jose {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(key_times)

BOOST_AUTO_TEST_CASE(keys_are_read_again_for_an_unknown_key_once_in_a_pause) {
  KeyTimes times(10min, 1h, 1min, Time(0s));
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

BOOST_AUTO_TEST_CASE(keys_are_read_again_when_half_of_their_time_is_over) {
  KeyTimes times(10min, 1h, 1min, Time(0s));
  BOOST_TEST(!times.begin(Time(299s), false));
  BOOST_TEST(times.begin(Time(300s), false));
  times.end(Time(301s), false);
  BOOST_TEST(!times.begin(Time(359s), false));
  BOOST_TEST(times.begin(Time(360s), false));
  times.end(Time(361s), true);
  BOOST_TEST(!times.begin(Time(660s), false));
  BOOST_TEST(times.begin(Time(661s), false));
}

BOOST_AUTO_TEST_CASE(old_keys_are_used_only_while_they_cannot_be_read_again) {
  KeyTimes times(10min, 1h, 1min, Time(0s));
  BOOST_TEST(times.may_use(Time(10min - 1s)));
  BOOST_TEST(!times.may_use(Time(10min)));
  BOOST_TEST(times.begin(Time(20min), false));
  BOOST_TEST(!times.may_use(Time(20min)));
  times.end(Time(20min), false);
  BOOST_TEST(times.may_use(Time(20min)));
  BOOST_TEST(times.may_use(Time(30min - 1s)));
  BOOST_TEST(!times.may_use(Time(30min)));  // nobody knows whether they can be read now
  BOOST_TEST(times.begin(Time(59min), false));
  times.end(Time(59min), false);
  BOOST_TEST(times.may_use(Time(1h - 1s)));
  BOOST_TEST(!times.may_use(Time(1h)));  // their last age
  BOOST_TEST(times.begin(Time(61min), false));
  times.end(Time(61min), true);
  BOOST_TEST(times.may_use(Time(71min - 1s)));
  BOOST_TEST(!times.may_use(Time(71min)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::jose
