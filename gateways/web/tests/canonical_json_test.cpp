#include "coracle/web/canonical_json.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::web {
namespace {

std::string canonical(std::string_view text) { return canonical_text(parse_json(text).value()); }

BOOST_AUTO_TEST_SUITE(canonical_json)

BOOST_AUTO_TEST_CASE(numbers_are_written_as_ecmascript_does) {
  // Values of RFC 8785, appendix B, and the borders between the forms.
  for (const auto& [number, wanted] : {std::pair<double, const char*>(0.0, "0"),
                                       {-0.0, "0"},
                                       {10000.0, "10000"},
                                       {4.5, "4.5"},
                                       {2e-3, "0.002"},
                                       {1e21, "1e+21"},
                                       {1e20, "100000000000000000000"},
                                       {123456789012345680000.0, "123456789012345680000"},
                                       {0.000001, "0.000001"},
                                       {1e-7, "1e-7"},
                                       {-1.25e-9, "-1.25e-9"},
                                       {5e-324, "5e-324"},
                                       {1.7976931348623157e308, "1.7976931348623157e+308"},
                                       {295147905179352830000.0, "295147905179352830000"},
                                       {333333333.33333329, "333333333.3333333"},
                                       {1e-27, "1e-27"}})
    BOOST_TEST(canonical_text(Json(number)) == wanted, wanted);
  for (const auto& [number, wanted] : {std::pair<std::int64_t, const char*>(-5, "-5"),
                                       {9007199254740992, "9007199254740992"},
                                       {9007199254740993, "9007199254740992"}})
    BOOST_TEST(canonical_text(Json(number)) == wanted, wanted);
}

BOOST_AUTO_TEST_CASE(members_are_in_the_order_of_utf_16) {
  BOOST_TEST(canonical(R"({"b": 1, "a": {"d": [3, {"z": null, "y": true}], "c": false}})") ==
             R"({"a":{"c":false,"d":[3,{"y":true,"z":null}]},"b":1})");
  BOOST_TEST(canonical(R"({"aa": 1, "a": 2, "": 3, "B": 4, "1": 5})") ==
             R"({"":3,"1":5,"B":4,"a":2,"aa":1})");
  // Beyond U+FFFF, a character is a pair of units that are below U+E000 (RFC 8785, 3.2.3).
  BOOST_TEST(canonical("{\"\xef\xac\xb3\": 1, \"\xf0\x9f\x98\x80\": 2, \"\xe2\x82\xac\": 3, "
                       "\"\xc3\xb6\": 4, \"\xc2\x80\": 5, \"1\": 6, \"\\r\": 7}") ==
             "{\"\\r\":7,\"1\":6,\"\xc2\x80\":5,\"\xc3\xb6\":4,\"\xe2\x82\xac\":3,"
             "\"\xf0\x9f\x98\x80\":2,\"\xef\xac\xb3\":1}");
}

BOOST_AUTO_TEST_CASE(texts_have_as_few_escapes_as_possible) {
  BOOST_TEST(canonical(R"("\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/\b\f\t\u007f")") ==
             "\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\\b\\f\\t\x7f\"");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::web
