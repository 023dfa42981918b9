#include "coracle/support/content_text.hpp"

#include "coracle/support/quote.hpp"
#include "coracle/typed.hpp"
#include "support/cbor_text.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::test {

namespace {

using coracle::detail::cbor_text;

struct Plan {
  static constexpr std::string_view content_type = "plan/v1";
  std::string goal;
  std::vector<int> steps;
  double cost = 0;
};

std::string meaning_of(std::string_view hex) {
  return cbor_text(from_hex(hex)).value_or("no CBOR");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(content_text)

// The examples of RFC 8949, appendix A.
BOOST_AUTO_TEST_CASE(values_are_in_diagnostic_notation) {
  BOOST_TEST(meaning_of("1bffffffffffffffff") == "18446744073709551615");
  BOOST_TEST(meaning_of("3903e7") == "-1000");
  BOOST_TEST(meaning_of("f90000") == "0.0");
  BOOST_TEST(meaning_of("fb3ff199999999999a") == "1.1");
  BOOST_TEST(meaning_of("fb7e37e43c8800759c") == "1e+300");
  BOOST_TEST(meaning_of("f97c00") == "Infinity");
  BOOST_TEST(meaning_of("f97e00") == "NaN");
  BOOST_TEST(meaning_of("f5") == "true");
  BOOST_TEST(meaning_of("f6") == "null");
  BOOST_TEST(meaning_of("4401020304") == "h'01020304'");
  BOOST_TEST(meaning_of("6449455446") == "\"IETF\"");
  BOOST_TEST(meaning_of("62225c") == "\"\\\"\\\\\"");
  BOOST_TEST(meaning_of("8301820203820405") == "[1, [2, 3], [4, 5]]");
  BOOST_TEST(meaning_of("a26161016162820203") == "{\"a\": 1, \"b\": [2, 3]}");
  BOOST_TEST(meaning_of("9fff") == "[]");
  BOOST_TEST(meaning_of("a0") == "{}");
}

BOOST_AUTO_TEST_CASE(what_is_no_value_has_no_meaning) {
  for (const char* hex : {"", "ff", "1b00", "8201", "0101", "61"})
    BOOST_TEST(meaning_of(hex) == "no CBOR", hex);
}

BOOST_AUTO_TEST_CASE(typed_content_says_its_type_and_its_fields) {
  const Content plan = Content::of(Plan{"north\x1b[2J", {1, 2}, 2.5});
  BOOST_TEST(coracle::detail::content_text(plan.type(), plan.bytes()) ==
             "(plan/v1) [\"north\\x1b[2J\", [1, 2], 2.5]");
}

BOOST_AUTO_TEST_CASE(text_is_itself_and_bytes_are_digits) {
  BOOST_TEST(coracle::detail::content_text("text/plain", Content("a\nb").bytes()) == "a\\nb");
  BOOST_TEST(coracle::detail::content_text("application/octet-stream", from_hex("00ff")) ==
             "(application/octet-stream) h'00ff'");
  BOOST_TEST(coracle::detail::content_text("plan/v1", from_hex("ff")) == "(plan/v1) h'ff'");
  BOOST_TEST(coracle::detail::content_text("", {}) == "");
}

BOOST_AUTO_TEST_CASE(nothing_that_is_shown_deceives) {
  const bool holds = rc::check([](const std::string& type, const std::vector<std::uint8_t>& bytes) {
    const std::string line = coracle::detail::content_text(type, std::as_bytes(std::span(bytes)));
    RC_ASSERT(line == coracle::detail::shown(line));
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
