#include "coracle/http/multipart.hpp"

#include "tests/support/numbers.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

namespace coracle::http {
namespace {

// The body of a request as JADE writes it.
const std::string of_jade =
    "This is not part of the MIME multipart encoded message.\r\n"
    "--0123456789abcdef0123456789abcde\r\n"
    "Content-Type: application/xml\r\n"
    "\r\n"
    "<?xml version=\"1.0\"?>\n<envelope></envelope>\r\n"
    "--0123456789abcdef0123456789abcde\r\n"
    "Content-Type: application/text\r\n"
    "\r\n"
    "(INFORM)\r\n"
    "--0123456789abcdef0123456789abcde--\r\n";
const std::string boundary = "0123456789abcdef0123456789abcde";

std::string body_of(const std::string& text, std::size_t part = 0) {
  return read_multipart(text, "B").value().at(part).body;
}

BOOST_AUTO_TEST_SUITE(multipart)

BOOST_AUTO_TEST_CASE(the_form_of_jade_is_written_byte_for_byte) {
  const Part parts[] = {
      {{{"Content-Type", "application/xml"}}, "<?xml version=\"1.0\"?>\n<envelope></envelope>"},
      {{{"Content-Type", "application/text"}}, "(INFORM)"}};
  BOOST_TEST(write_multipart(parts, boundary,
                             "This is not part of the MIME multipart encoded message.") == of_jade);
  BOOST_TEST(content_type_with(boundary) == "multipart/mixed ; boundary=\"" + boundary + '"');
}

BOOST_AUTO_TEST_CASE(the_form_of_jade_is_read) {
  const auto parts = read_multipart(of_jade, boundary).value();
  BOOST_REQUIRE(parts.size() == 2U);
  BOOST_TEST(parts[0].headers.find("content-type").value() == "application/xml");
  BOOST_TEST(parts[0].body == "<?xml version=\"1.0\"?>\n<envelope></envelope>");
  BOOST_TEST(parts[1].body == "(INFORM)");
}

BOOST_AUTO_TEST_CASE(boundaries_are_found_in_every_form_of_the_type) {
  for (const char* type :
       {"multipart/mixed ; boundary=\"B\"", "Multipart/Mixed;boundary=B",
        "multipart-mixed; boundary=B", "multipart/mixed; charset=x; Boundary=\"B\""})
    BOOST_TEST(boundary_in(type).value() == "B");
  BOOST_TEST((boundary_in("text/plain").error().errc() == Errc::wrong_type));
  const std::string too_long = "multipart/mixed; boundary=" + std::string(71, 'b');
  for (const std::string& type :
       {std::string("multipart/mixed"), too_long, std::string("multipart/mixed; boundary=\"\""),
        std::string("multipart/mixed; boundary=\"a\x01\"")})
    BOOST_TEST((boundary_in(type).error().errc() == Errc::bad_encoding));
}

BOOST_AUTO_TEST_CASE(a_body_is_exactly_what_is_between_the_lines) {
  const auto with = [](const std::string& body) { return "--B\r\n\r\n" + body + "\r\n--B--\r\n"; };
  for (const std::string body : {"", "x", "x\r", "x\r\n", "x\n", "\r\nx", "\n\rx", "x--B", " --B",
                                 "--Bx\r\ny", "\r\n--Bx--\r\n", "--C"})
    BOOST_TEST(body_of(with(body)) == body);
  BOOST_TEST(body_of(with(std::string("\0\xff\x80", 3))) == std::string("\0\xff\x80", 3));
}

BOOST_AUTO_TEST_CASE(what_other_senders_do_is_tolerated) {
  const std::pair<std::string, std::string> same[] = {
      {"bare line feeds", "--B\nA: b\n\nx\n--B--\n"},
      {"blanks behind the boundary", "--B \t\r\nA: b\r\n\r\nx\r\n--B-- \r\n"},
      {"no end of line at the end", "--B\r\nA: b\r\n\r\nx\r\n--B--"},
      {"a text behind the end", "--B\r\nA: b\r\n\r\nx\r\n--B--\r\nepilogue\r\n--B\r\n"},
      {"another case", "--B\r\na:b\r\n\r\nx\r\n--B--\r\n"},
      {"a continued line", "--B\r\nA:\r\n b\r\n\r\nx\r\n--B--\r\n"},
      {"another header before", "--B\r\nZ: 1\r\nA: b\r\n\r\nx\r\n--B--\r\n"},
      {"another header behind", "--B\r\nA: b\r\nZ: 1\r\n\r\nx\r\n--B--\r\n"},
      {"a line that looks similar", "--Bx\r\n--B\r\nA: b\r\n\r\nx\r\n--B--\r\n"},
  };
  for (const auto& [what, text] : same) {
    BOOST_TEST_CONTEXT(what) {
      const auto parts = read_multipart(text, "B").value();
      BOOST_REQUIRE(parts.size() == 1U);
      BOOST_TEST(parts[0].headers.find("A").value() == "b");
      BOOST_TEST(parts[0].body == "x");
    }
  }
  BOOST_TEST(read_multipart("--B\r\nA: b\r\n--B--", "B").value().at(0).body == "");
  BOOST_TEST(read_multipart("--B\r\n--B--", "B").value().at(0).headers.size() == 0U);
  BOOST_TEST(read_multipart("--B--", "B").value().empty());
}

BOOST_AUTO_TEST_CASE(a_broken_body_is_refused) {
  for (const char* text : {"", "x", "--B", "--B\r\n", "--B\r\nA: b\r\n\r\nx", "x--B--\r\n",
                           "--B\r\nno colon\r\n\r\nx\r\n--B--", "--B\r\n folded\r\n\r\nx\r\n--B--",
                           "--B\r\nA b: c\r\n\r\nx\r\n--B--"})
    BOOST_TEST((read_multipart(text, "B").error().errc() == Errc::bad_encoding));
}

BOOST_AUTO_TEST_CASE(a_body_beyond_a_limit_is_refused) {
  const MultipartLimits limits{.parts = 2, .header_bytes = 20, .header_fields = 2};
  const auto read = [&](const std::string& text) { return read_multipart(text, "B", limits); };
  const std::string part = "--B\r\n\r\nx\r\n";
  BOOST_TEST(read(part + part + "--B--").has_value());
  BOOST_TEST((read(part + part + part + "--B--").error().errc() == Errc::too_large));
  BOOST_TEST((read("--B\r\nA: " + std::string(20, 'a') + "\r\n\r\n--B--").error().errc() ==
              Errc::too_large));
  BOOST_TEST((read("--B\r\nA:\r\nB:\r\nC:\r\n\r\n--B--").error().errc() == Errc::too_large));
}

BOOST_AUTO_TEST_CASE(a_body_that_contains_the_boundary_is_not_written) {
  const Part bad[] = {{{}, "x\r\n--B\r\n"}};
  BOOST_CHECK_THROW(write_multipart(bad, "B"), Error);
  BOOST_CHECK_THROW(write_multipart({}, ""), Error);
  BOOST_CHECK_THROW(write_multipart({}, "a\r\n"), Error);
}

BOOST_AUTO_TEST_CASE(a_boundary_is_made_of_random_digits) {
  coracle::test::Numbers random;
  const std::string one = make_boundary(random), other = make_boundary(random);
  BOOST_TEST(one.size() == 31U);
  BOOST_TEST(one != other);
  BOOST_TEST(boundary_in(content_type_with(one)).value() == one);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
