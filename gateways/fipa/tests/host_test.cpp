// The hosts to which the costs of letters are charged.
#include "coracle/fipa/detail/host.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::fipa::detail {

BOOST_AUTO_TEST_SUITE(host)

BOOST_AUTO_TEST_CASE(the_ports_of_a_host_are_one_host) {
  BOOST_TEST(host_of_peer("192.0.2.7:4711") == "192.0.2.7");
  BOOST_TEST(host_of_peer("192.0.2.7:1") == host_of_peer("192.0.2.7:2"));
  BOOST_TEST(host_of_peer("192.0.2.7:1") != host_of_peer("192.0.2.8:1"));
}

BOOST_AUTO_TEST_CASE(the_addresses_of_a_network_of_ipv6_are_one_host) {
  BOOST_TEST(host_of_peer("[2001:db8::7]:1") == "2001:db8::/64");
  BOOST_TEST(host_of_peer("[2001:db8::7]:1") == host_of_peer("[2001:db8::ffff:1:2]:9"));
  BOOST_TEST(host_of_peer("[2001:db8::7]:1") != host_of_peer("[2001:db8:0:1::7]:1"));
}

BOOST_AUTO_TEST_CASE(an_address_of_ipv4_in_one_of_ipv6_is_the_same_host) {
  BOOST_TEST(host_of_peer("[::ffff:192.0.2.7]:1") == "192.0.2.7");
}

BOOST_AUTO_TEST_CASE(another_text_is_its_own_host) {
  BOOST_TEST(host_of_peer("") == "");
  BOOST_TEST(host_of_peer("lab:1") == "lab");
  BOOST_TEST(host_of_peer("[x]:1") == "x");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa::detail
