// The Distributed realization's own links and directory, between simulated hosts, without faults.
#include "linked_hosts.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::test {

BOOST_AUTO_TEST_SUITE(links)

BOOST_AUTO_TEST_CASE(messages_between_two_nodes_arrive_in_order) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LinkedHosts hosts(2, seed);
    std::vector<std::string> texts;
    hosts.start(1, "bob", reader(texts, 100));
    hosts.start(0, "ann", sender("bob", 0, 100));
    hosts.until([&] { return texts.size() == 100; });
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      BOOST_TEST_REQUIRE(texts == numbers(0, 100), boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
