#include "realizations/net/src/read_size.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net {

BOOST_AUTO_TEST_SUITE(read_size)

BOOST_AUTO_TEST_CASE(reads_that_are_filled_get_more_up_to_the_most) {
  ReadSize sizes(64u << 10);
  BOOST_TEST(sizes.after(10'000, ReadSize::first) == 16u << 10);
  BOOST_TEST(sizes.after(16u << 10, 16u << 10) == 32u << 10);
  BOOST_TEST(sizes.after(64u << 10, 64u << 10) == 64u << 10);
}

BOOST_AUTO_TEST_CASE(many_small_reads_in_a_row_get_what_the_first_one_got) {
  ReadSize sizes(64u << 10);
  for (int i = 0; i < 15; ++i) BOOST_TEST(sizes.after(100, 64u << 10) == 64u << 10);
  BOOST_TEST(sizes.after(5'000, 64u << 10) == 64u << 10);
  for (int i = 0; i < 15; ++i) BOOST_TEST(sizes.after(100, 64u << 10) == 64u << 10);
  BOOST_TEST(sizes.after(100, 64u << 10) == ReadSize::first);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::net
