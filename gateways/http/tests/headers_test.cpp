#include "coracle/http/headers.hpp"

#include "coracle/errors.hpp"
#include "coracle/http/message.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::http {
namespace {

BOOST_AUTO_TEST_SUITE(headers)

BOOST_AUTO_TEST_CASE(fields_keep_their_order_and_are_found_in_any_case) {
  Headers all = {{"Host", "h"}, {"Accept", "a"}, {"accept", "b"}};
  BOOST_TEST(all.find("HOST").value() == "h");
  BOOST_TEST(all.find("Accept").value() == "a");
  BOOST_TEST(all.count("ACCEPT") == 2U);
  BOOST_TEST(!all.find("Hos").has_value());
  all.set("Accept", "c");
  BOOST_TEST(all.count("accept") == 1U);
  BOOST_TEST(all[1].name == "Accept");
  BOOST_TEST(all[1].value == "c");
  all.erase("host");
  BOOST_TEST(all.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_value_may_come_from_the_headers_themselves) {
  Headers all = {{"A", std::string(100, 'a')}, {"B", "b"}};
  all.set("B", *all.find("A"));
  all.set("A", *all.find("B"));
  BOOST_TEST(all.find("A").value() == std::string(100, 'a'));
}

BOOST_AUTO_TEST_CASE(no_field_can_hide_another_one) {
  Headers all;
  const std::string bad_values[] = {"a\r\nX: y", "a\nb", "a\rb", std::string("a\0b", 3), "a\x7f"};
  for (const auto& value : bad_values) BOOST_CHECK_THROW(all.add("A", value), Error);
  for (const char* name : {"", "a b", "a:", "a\n", "\xc3\xbc"})
    BOOST_CHECK_THROW(all.add(name, "v"), Error);
  BOOST_TEST(all.size() == 0U);
  all.add("A", " \t v\xff w\t ");
  BOOST_TEST(all.find("A").value() == "v\xff w");
}

BOOST_AUTO_TEST_CASE(tokens_are_found_in_lists) {
  const Headers all = {{"Connection", "keep-alive , Upgrade,,"}, {"connection", "x"}};
  BOOST_TEST(all.has_token("Connection", "upgrade"));
  BOOST_TEST(all.has_token("Connection", "Keep-Alive"));
  BOOST_TEST(all.has_token("Connection", "X"));
  BOOST_TEST(!all.has_token("Connection", "keep"));
  BOOST_TEST(!all.has_token("Upgrade", "x"));
}

BOOST_AUTO_TEST_CASE(types_have_parameters_in_any_form) {
  BOOST_TEST(media_type("Multipart/Mixed ; boundary=x") == "multipart/mixed");
  BOOST_TEST(media_type("") == "");
  BOOST_TEST(media_parameter("a/b ; boundary=\"x;\\\"y\"; q=1", "Boundary").value() == "x;\"y");
  BOOST_TEST(media_parameter("a/b;BOUNDARY=x ;q=1", "boundary").value() == "x");
  BOOST_TEST(media_parameter("a/b; other; q=1", "q").value() == "1");
  BOOST_TEST(media_parameter("a/b; z=\"q=2\"; q=1", "q").value() == "1");
  for (const char* value : {"a/b", "a/b; q", "a/b; q=\"x", "a/b; qq=1", ";", "a/b;=1"})
    BOOST_TEST(!media_parameter(value, "q").has_value());
}

BOOST_AUTO_TEST_CASE(a_plain_response_is_one_line_without_hidden_characters) {
  const Response response = Response::plain(404, "there is no \x1b[2J here");
  BOOST_TEST(response.body == "404 Not Found: there is no \\x1b[2J here\r\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
