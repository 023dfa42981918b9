// Tests of lanes.
#include "lanes.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::test {

BOOST_AUTO_TEST_SUITE(lanes)

BOOST_AUTO_TEST_CASE(spans_that_overlap_get_lanes_of_their_own_and_others_nest) {
  std::string ends;
  formats::Lanes lanes(2, [&](std::size_t lane, Time at) {
    ends += std::to_string(lane) + "@" + std::to_string(at.time_since_epoch().count()) + " ";
  });
  const auto add = [&](int begin, int end) {
    return lanes.add(Time(Duration(begin)), Time(Duration(end)));
  };
  BOOST_TEST((add(0, 10) == 0u));
  BOOST_TEST((add(2, 4) == 0u));   // within the first
  BOOST_TEST((add(3, 12) == 1u));  // overlaps both
  BOOST_TEST((add(5, 13) == std::nullopt));
  BOOST_TEST((add(10, 11) == 0u));  // the first is over
  lanes.finish();
  BOOST_TEST(ends == "0@4 0@10 0@11 1@12 ");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
