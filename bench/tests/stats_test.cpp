#include "harness/figures/stats.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace coracle::bench {

BOOST_AUTO_TEST_SUITE(stats)

const auto near = boost::test_tools::tolerance(1e-4);

// Student's t for four degrees of freedom and 95 % is 2.7764.
BOOST_AUTO_TEST_CASE(a_mean_has_the_interval_of_students_distribution) {
  const Mean mean = mean_of({1, 2, 3, 4, 5});
  BOOST_TEST(mean.value == 3.0);
  BOOST_TEST(mean.ci95 == 1.963243, near);
}

BOOST_AUTO_TEST_CASE(one_value_says_nothing_of_how_far_it_is_off) {
  BOOST_TEST(mean_of({7}).value == 7.0);
  BOOST_TEST(mean_of({7}).ci95 == 0.0);
  BOOST_TEST(mean_of({}).value == 0.0);
  BOOST_TEST(welch({7}, {1, 2, 3}) == 1.0);
}

// By hand: t = 3.164 with 7.99 degrees of freedom.
BOOST_AUTO_TEST_CASE(welchs_test_tells_what_differs_from_what_may_not) {
  const double different = welch({1, 2, 3, 4, 5}, {4, 6, 8, 7, 5.5});
  BOOST_TEST(different > 0.004);
  BOOST_TEST(different < 0.02);
  BOOST_TEST(welch({4, 6, 8, 7, 5.5}, {1, 2, 3, 4, 5}) == different, near);
  BOOST_TEST(welch({1, 2, 3, 4, 5}, {1.1, 2.2, 2.9, 4.1, 5}) > 0.9);
  BOOST_TEST(welch({2, 2}, {2, 2}) == 1.0);
  BOOST_TEST(welch({2, 2}, {3, 3}) == 0.0);
}

BOOST_AUTO_TEST_CASE(a_line_is_found_through_points_that_lie_on_one) {
  const Line line = fitted({1, 2, 4}, {5, 7, 11});
  BOOST_TEST(line.slope == 2.0, near);
  BOOST_TEST(line.offset == 3.0, near);
  BOOST_TEST(line.r_squared == 1.0, near);
  BOOST_TEST(fitted({1, 2, 3, 4}, {1, -1, -1, 1}).r_squared == 0.0, near);
  BOOST_TEST(fitted({3, 3}, {1, 5}).offset == 3.0, near);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::bench
