#include "runtime/inspection/timeline.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::detail {

namespace {

Time at(int seconds) { return Time(std::chrono::seconds(seconds)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(timeline)

BOOST_AUTO_TEST_CASE(a_number_was_counted_after_the_latest_time_at_which_it_was_not) {
  Timeline times;
  BOOST_TEST(!times.before(1));
  times.note(0, at(1));
  times.note(0, at(2));
  times.note(5, at(3));
  times.note(5, at(9));
  times.note(8, at(10));
  BOOST_TEST((times.before(1) == at(2)));
  BOOST_TEST((times.before(5) == at(2)));
  BOOST_TEST((times.before(6) == at(9)));
  BOOST_TEST((times.before(9) == at(10)));
  BOOST_TEST(!times.before(0));
}

BOOST_AUTO_TEST_CASE(its_memory_is_bounded_and_new_numbers_keep_their_times) {
  Timeline times;
  constexpr int last = 1'000'000;
  for (int second = 0; second <= last; ++second)
    times.note(static_cast<std::uint64_t>(second), at(second));
  BOOST_TEST(times.size() <= Timeline::most);
  BOOST_TEST((times.before(last) >= at(last - 3)));
  for (int number = 10; number < last; number += 9973) {
    const Time known = *times.before(static_cast<std::uint64_t>(number));
    BOOST_TEST((known <= at(number)));
    BOOST_TEST((known >= at(number - (last - number) / 8 - 2)), number);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::detail
