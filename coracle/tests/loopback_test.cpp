// Addresses of the loopback network.
#include "coracle/support/loopback.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::detail {

BOOST_AUTO_TEST_SUITE(loopback)

BOOST_AUTO_TEST_CASE(addresses_of_the_loopback_network_stay_on_this_host) {
  for (const char* const each : {"127.0.0.1", "127.255.1.2", "::1", "::ffff:127.0.0.1"})
    BOOST_TEST(is_loopback(each), each);
}

BOOST_AUTO_TEST_CASE(other_addresses_and_names_do_not) {
  for (const char* const each : {"", "128.0.0.1", "0.0.0.0", "::", "::2", "::ffff:192.0.2.7",
                                 "::127.0.0.1", "localhost", "127.0.0.1:80", "127.1"})
    BOOST_TEST(!is_loopback(each), each);
}

BOOST_AUTO_TEST_CASE(this_host_has_a_name_too) {
  BOOST_TEST(is_this_host("localhost"));
  BOOST_TEST(is_this_host("127.0.0.1"));
  BOOST_TEST(!is_this_host("localhost.example.org"));
  BOOST_TEST(!is_this_host("192.0.2.7"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::detail
