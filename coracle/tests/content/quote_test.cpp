#include "coracle/support/quote.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::detail {
namespace {

BOOST_AUTO_TEST_SUITE(quote)

BOOST_AUTO_TEST_CASE(what_people_can_see_is_shown_as_it_is) {
  for (const std::string text : {"", "plain \"text\" \\ {}~", "Zürich/плот/船/🚣", "مرحبا"})
    BOOST_TEST(shown(text) == text);
  const std::string joined = "👩\u200d💻\ufe0f";  // some texts need these characters
  BOOST_TEST(shown(joined) == joined);
  BOOST_TEST(is_plain("Zürich/плот/船/🚣"));
  BOOST_TEST(!is_plain(joined));
}

BOOST_AUTO_TEST_CASE(what_could_deceive_is_escaped) {
  BOOST_TEST(shown("hi\x1b]0;owned\x07\x1b[2J\nroot: give\r") ==
             R"(hi\x1b]0;owned\x07\x1b[2J\nroot: give\x0d)");
  BOOST_TEST(shown("a\u009b31m") == R"(a\xc2\x9b31m)");
  BOOST_TEST(shown("a\u202eb\u2066c\u200bd\u2028e") ==
             R"(a\xe2\x80\xaeb\xe2\x81\xa6c\xe2\x80\x8bd\xe2\x80\xa8e)");
  BOOST_TEST(shown("a\x80\xffz\xc3") == R"(a\x80\xffz\xc3)");
  BOOST_TEST(shown(std::string("\0\x7f", 2)) == R"(\x00\x7f)");
}

BOOST_AUTO_TEST_CASE(what_is_escaped_once_stays_so) {
  const std::string once = shown("a\x1b[31m\xff\n");
  BOOST_TEST(shown(once) == once);
}

BOOST_AUTO_TEST_CASE(json_means_what_it_meant) {
  BOOST_TEST(shown_json("{\"a\":\"b\u009b\u202e\U000e0041\"}") ==
             R"({"a":"b\u009b\u202e\udb40\udc41"})");
  BOOST_TEST(shown_json("{\"a\":\"\x80\"}") == R"({"a":"\ufffd"})");
  BOOST_TEST(shown_json("{\"a\":\"é\"}") == "{\"a\":\"é\"}");
}

BOOST_AUTO_TEST_CASE(the_sentence_of_an_error_deceives_nobody) {
  const Error error(Errc::refused, "it says \x1b[2J\n\u202e");
  BOOST_TEST(error.sentence() == R"(it says \x1b[2J\n\xe2\x80\xae)");
  BOOST_TEST(error.what() == error.sentence());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::detail
