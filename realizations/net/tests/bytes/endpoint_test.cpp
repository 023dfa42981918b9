#include "realizations/net/src/endpoint.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::net {
namespace {

BOOST_AUTO_TEST_SUITE(endpoint)

BOOST_AUTO_TEST_CASE(an_endpoint_is_its_text) {
  for (const char* text :
       {"tcp://lab.example:4711", "tls://192.0.2.7:1", "tcp://[::1]:65535",
        "tcp://[fe80::1%eth0]:7", "unix:///run/user/7/node", "sim://node3:7", "tcp://0.0.0.0:0"}) {
    const auto parsed = Endpoint::parse(text);
    BOOST_REQUIRE_MESSAGE(parsed.has_value(), text);
    BOOST_TEST(parsed->text() == text);
    BOOST_TEST((Endpoint::parse(parsed->text()).value() == *parsed));
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_endpoint_is_refused_with_the_reason) {
  const std::string long_path = "unix:///" + std::string(200, 'p');
  const std::string long_host = "tcp://" + std::string(254, 'h') + ":1";
  const std::pair<std::string, std::string> wrong[] = {
      {"", "scheme"},
      {"http://host:80", "scheme"},
      {"TCP://host:80", "scheme"},
      {"tcp://", "no host"},
      {"tcp://:80", "no host"},
      {"tcp://host", "no port"},
      {"tcp://host:", "port is not"},
      {"tcp://host:80x", "port is not"},
      {"tcp://host:-1", "port is not"},
      {"tcp://host:65536", "port is not"},
      {"tcp://ho st:80", "character"},
      {"tcp://ho\nst:80", "character"},
      {"tcp://[::1:80", "no ']'"},
      {"tcp://[::1]80", "no port"},
      {"tcp://[fe80%eth0]:7", "no IPv6 address"},
      {"tcp://::1:80", "no host"},
      {"unix://run/node", "begins with '/'"},
      {long_path, "107 bytes"},
      {long_host, "253 bytes"},
      {std::string("unix:///a\0b", 11), "zero byte"},
  };
  for (const auto& [text, reason] : wrong) {
    const auto parsed = Endpoint::parse(text);
    BOOST_REQUIRE_MESSAGE(!parsed, text);
    BOOST_TEST((parsed.error().errc() == Errc::bad_endpoint));
    BOOST_TEST(parsed.error().sentence().find(reason) != std::string::npos,
               parsed.error().sentence());
    BOOST_TEST(parsed.error().sentence().find('\n') == std::string::npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net
