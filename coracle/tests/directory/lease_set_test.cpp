#include "coracle/support/lease_set.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <set>

namespace coracle {
namespace {

BOOST_AUTO_TEST_SUITE(lease_set)

BOOST_AUTO_TEST_CASE(it_holds_what_a_plain_set_holds) {
  std::mt19937 random(7);
  detail::LeaseSet leases;
  std::set<LeaseId> plain;
  for (int i = 0; i < 20'000; ++i) {
    const LeaseId lease = 1 + random() % 60;
    if (random() % 3 != 0) {
      BOOST_TEST(leases.insert(lease) == plain.insert(lease).second);
    } else {
      leases.erase(lease);
      plain.erase(lease);
    }
    std::size_t spans = 0;
    for (LeaseId each = 0; each <= 61; ++each) {
      BOOST_TEST_REQUIRE(leases.contains(each) == plain.contains(each));
      spans += plain.contains(each) && !plain.contains(each + 1) ? 1 : 0;
    }
    BOOST_TEST_REQUIRE(leases.spans() == spans);
  }
}

BOOST_AUTO_TEST_CASE(a_million_that_have_ended_take_no_more_than_those_that_have_not) {
  detail::LeaseSet leases;
  for (LeaseId lease = 1; lease <= 1'000'000; ++lease) {
    if (lease % 250'000 != 0) leases.insert((LeaseId{7} << 32) + lease);
  }
  BOOST_TEST(leases.spans() == 4u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
