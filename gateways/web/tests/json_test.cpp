#include "coracle/web/json.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>
#include <utility>

namespace coracle::web {
namespace {

// Any value that JSON has, of that depth at most.
rc::Gen<Json> any_json(int depth) {
  const auto texts = rc::gen::map(rc::gen::string<std::string>(), [](std::string text) {
    for (char& each : text) each = static_cast<char>(each & 0x7f);
    return Json(std::move(text));
  });
  const auto plain = rc::gen::oneOf(
      rc::gen::just(Json()),
      rc::gen::map(rc::gen::arbitrary<bool>(), [](bool b) { return Json(b); }),
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t n) { return Json(n); }),
      texts);
  if (depth == 0) return plain;
  // A tenth of rapidcheck's sizes: lists of lists have as many values as this is multiplied.
  const auto lists =
      rc::gen::scale(0.1, rc::gen::container<std::vector<Json>>(any_json(depth - 1)));
  const auto arrays =
      rc::gen::map(lists, [](std::vector<Json> items) { return Json(std::move(items)); });
  const auto objects = rc::gen::map(lists, [](const std::vector<Json>& items) {
    Json object{Json::Object()};
    for (std::size_t i = 0; i < items.size(); ++i) object.set("m" + std::to_string(i), items[i]);
    return object;
  });
  return rc::gen::oneOf(plain, arrays, objects);
}

BOOST_AUTO_TEST_SUITE(json)

BOOST_AUTO_TEST_CASE(a_value_is_read_as_it_was_written) {
  BOOST_TEST(rc::check([] {
    const Json value = *any_json(3);
    const auto read = parse_json(to_text(value));
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == value);
  }));
}

BOOST_AUTO_TEST_CASE(all_kinds_of_values_are_read) {
  const Json value =
      parse_json(R"( {"a": [1, -2, 0.5, 1e300], "b": {"c": null, "d": true}, "e": "\u00e9\n"} )")
          .value();
  BOOST_TEST(value.find("a")->if_array()->size() == 4);
  BOOST_TEST((*value.find("a")->if_array())[1].if_whole().value() == -2);
  BOOST_TEST((*value.find("a")->if_array())[2].if_number().value() == 0.5);
  BOOST_TEST(value.find("b")->find("c")->is_null());
  BOOST_TEST(value.find("b")->find("d")->if_truth().value());
  BOOST_TEST(*value.find("e")->if_text() == "\xc3\xa9\n");
  BOOST_TEST(value.find("f") == nullptr);
  BOOST_TEST(value.find("a")->find("x") == nullptr);
}

BOOST_AUTO_TEST_CASE(texts_that_are_no_json_are_refused) {
  for (const char* text : {"", " ", "{", "[1,]", "{\"a\":}", "nul", "01", "1 2", "'a'", "\"\xff\"",
                           "[1] // no", "{\"a\":1,}", "NaN", "\"\x01\""}) {
    const auto read = parse_json(text);
    BOOST_REQUIRE_MESSAGE(!read.has_value(), text);
    BOOST_TEST((read.error().errc() == Errc::bad_encoding), text);
  }
}

BOOST_AUTO_TEST_CASE(two_members_of_one_name_are_refused) {
  BOOST_TEST(!parse_json(R"({"a":1,"b":{"a":2},"a":3})").has_value());
  std::string many = "{";
  for (int i = 0; i < 100; ++i) many += "\"k" + std::to_string(i) + "\":0,";
  BOOST_TEST(parse_json(many + "\"last\":0}").has_value());
  BOOST_TEST(!parse_json(many + "\"k70\":0}").has_value());
  BOOST_TEST(!parse_json(many + "\"k99\":0}").has_value());
}

BOOST_AUTO_TEST_CASE(what_is_beyond_a_limit_is_refused) {
  const auto is_too_large = [](const std::string& text, const JsonLimits& limits) {
    const auto read = parse_json(text, limits);
    return !read && read.error().errc() == Errc::too_large;
  };
  JsonLimits limits;
  limits.bytes = 10;
  BOOST_TEST(is_too_large("[1,2,3,4,5]", limits));
  BOOST_TEST(!is_too_large("[1,2,3,45]", limits));
  limits = {};
  limits.depth = 3;
  BOOST_TEST(is_too_large("[[[[]]]]", limits));
  BOOST_TEST(!is_too_large("[[[]]]", limits));
  limits = {};
  limits.values = 3;
  BOOST_TEST(is_too_large("[1,2,3]", limits));
  BOOST_TEST(!is_too_large("[1,2]", limits));
  BOOST_TEST(is_too_large("[[],{},[]]", limits));
  BOOST_TEST(is_too_large(std::string(1'000'000, '['), {}));
}

BOOST_AUTO_TEST_CASE(a_text_is_written_so_that_everybody_can_read_it) {
  BOOST_TEST(to_text(Json("a\"\\\n\x01\x7f\xc3\xa9\xff")) ==
             "\"a\\\"\\\\\\n\\u0001\\u007f\xc3\xa9\xef\xbf\xbd\"");
  BOOST_TEST(to_text(Json(std::numeric_limits<double>::infinity())) == "null");
  BOOST_TEST(to_text(Json(0.1)) == "0.1");
  BOOST_TEST(to_text(Json(std::uint64_t{1} << 63U)) == "9223372036854775808");
  BOOST_TEST(to_text(Json().set("a", Json().push(1).push("x"))) == R"({"a":[1,"x"]})");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::web
