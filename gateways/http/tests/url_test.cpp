#include "coracle/http/url.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

namespace coracle::http {
namespace {

BOOST_AUTO_TEST_SUITE(url)

BOOST_AUTO_TEST_CASE(an_address_is_its_text) {
  for (const char* text :
       {"http://localhost/", "https://lab.example:8443/a/b?c=d&e=%20f", "http://[::1]:7778/acc",
        "http://a-b_c.d/?x", "https://[2001:db8::7]/"}) {
    const auto read = Url::parse(text);
    BOOST_REQUIRE_MESSAGE(read.has_value(), text);
    BOOST_TEST(read->text() == text);
  }
}

BOOST_AUTO_TEST_CASE(the_parts_of_an_address_are_found) {
  const Url url = Url::parse("HTTPS://Lab.Example/a%2Fb/?q=1?2#part").value();
  BOOST_TEST(url.is_secure);
  BOOST_TEST(url.host == "lab.example");
  BOOST_TEST(url.port == 443);
  BOOST_TEST(url.path == "/a%2Fb/");
  BOOST_TEST(url.query == "q=1?2");
  BOOST_TEST(url.origin() == "https://lab.example");
  BOOST_TEST(url.target() == "/a%2Fb/?q=1?2");
  BOOST_TEST(Url::parse("http://[::1]:80").value().authority() == "[::1]");
  BOOST_TEST(Url::parse("http://h:443").value().authority() == "h:443");
  BOOST_TEST(Url::parse("http://h?q").value().target() == "/?q");
}

BOOST_AUTO_TEST_CASE(addresses_of_websockets_mean_the_same) {
  BOOST_TEST((Url::parse("ws://h:1/x").value() == Url::parse("http://h:1/x").value()));
  BOOST_TEST((Url::parse("wss://h/x").value() == Url::parse("https://h/x").value()));
}

BOOST_AUTO_TEST_CASE(other_texts_are_refused_with_the_reason) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "scheme"},
      {"localhost:80/", "scheme"},
      {"ftp://h/", "scheme"},
      {"http:///a", "no host"},
      {"http://:80/", "no host"},
      {"http://h:/", "port"},
      {"http://h:0/", "port"},
      {"http://h:65536/", "port"},
      {"http://h:+80/", "port"},
      {"http://h:8x/", "port"},
      {"http://me:secret@h/", "user name"},
      {"http://ho st/", "character"},
      {"http://h\xc3\xbc/", "character"},
      {"http://[::1/", "no ']'"},
      {"http://[localhost]/", "IPv6"},
      {"http://[::1]x/", "port"},
      {"http://[fe80::1%25eth0]/", "character"},
      {"http://h/a b", "blank"},
      {"http://h/\r\nHost: x", "blank"},
      {"http://h/%4", "percent"},
      {"http://h/%zz", "percent"},
      {"http://h/\xff", "ASCII"},
      {"http://" + std::string(254, 'h') + "/", "longer than 253"},
      {"http://h/" + std::string(8192, 'p'), "longer than 8192"},
  };
  for (const auto& [text, reason] : wrong) {
    const auto read = Url::parse(text);
    BOOST_REQUIRE_MESSAGE(!read, text);
    BOOST_TEST((read.error().errc() == Errc::bad_endpoint));
    BOOST_TEST_CONTEXT(read.error().sentence())
    BOOST_TEST(read.error().sentence().find(reason) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_password_is_not_shown_in_the_error) {
  const auto read = Url::parse("http://me:secret@h/");
  BOOST_TEST(read.error().sentence().find("secret") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(hosts_and_ports_stand_alone_too) {
  BOOST_TEST(parse_authority("[::1]:80")->host == "::1");
  BOOST_TEST(*parse_authority("Localhost:8080")->port == 8080);
  BOOST_TEST(!parse_authority("h")->port.has_value());
  for (const char* text : {"", ":1", "h:", "h:1:2", "h/", "a@b:1", "[::1"})
    BOOST_TEST(!parse_authority(text).has_value());
}

BOOST_AUTO_TEST_CASE(percent_signs_are_written_and_read) {
  const std::string all = [] {
    std::string text;
    for (int i = 0; i < 256; ++i) text += static_cast<char>(i);
    return text;
  }();
  BOOST_TEST(percent_decoded(percent_encoded(all)).value() == all);
  BOOST_TEST(percent_encoded("lab/robot 1") == "lab%2Frobot%201");
  BOOST_TEST(percent_decoded("%c3%BC").value() == "\xc3\xbc");
  for (const char* text : {"%", "%a", "%ag", "a%"}) BOOST_TEST(!percent_decoded(text).has_value());
}

BOOST_AUTO_TEST_CASE(the_fields_of_a_query_are_decoded) {
  using Fields = std::vector<std::pair<std::string, std::string>>;
  BOOST_TEST(
      (query_fields("a=1&b=x+y%26&&c").value() == Fields{{"a", "1"}, {"b", "x y&"}, {"c", ""}}));
  BOOST_TEST(query_fields("").value().empty());
  BOOST_TEST(!query_fields("a=%").has_value());
  BOOST_TEST(!query_fields("a&b&c", 2).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
