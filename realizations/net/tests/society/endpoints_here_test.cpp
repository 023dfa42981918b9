#include "realizations/net/src/society/beacon/endpoints_here.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::society {

namespace {

std::vector<std::string> understood(const std::vector<std::string>& texts) {
  std::vector<std::string> found;
  for (const net::Endpoint& each : endpoints_from(texts)) found.push_back(each.text());
  return found;
}

using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(endpoints_here)

BOOST_AUTO_TEST_CASE(this_host_has_a_short_name_that_stays) {
  BOOST_TEST(this_host().size() == 8);
  BOOST_TEST(this_host() == this_host());
}

BOOST_AUTO_TEST_CASE(sockets_of_this_host_are_used_and_those_of_others_are_not) {
  const Texts here = {"unix:///tmp/a", "tcp://192.0.2.7:4410", host_text()};
  BOOST_TEST((understood(here) == Texts{"unix:///tmp/a", "tcp://192.0.2.7:4410"}));
  const Texts elsewhere = {"unix:///tmp/a", "tcp://192.0.2.7:4410", "host=00000000"};
  BOOST_TEST((understood(elsewhere) == Texts{"tcp://192.0.2.7:4410"}));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_understood_is_left_out) {
  BOOST_TEST((understood({"", "smoke://signals", "host=1:4410", "unix:///tmp/a"}).empty()));
  BOOST_TEST((understood({"smoke://signals", "unix:///tmp/a"}) == Texts{"unix:///tmp/a"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::society
