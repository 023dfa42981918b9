#include "coracle/web/schema.hpp"

#include "coracle/content.hpp"
#include "coracle/typed.hpp"
#include "coracle/web/json_codec.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace coracle::web {

struct Spot {
  static constexpr std::string_view field_names[] = {"x", "y", "label"};
  std::int32_t x = 0;
  double y = 0;
  std::optional<std::string> label;
};

struct Tree {
  static constexpr std::string_view content_type = "tree/v1";
  std::string value;
  std::vector<Tree> children;
};

namespace {

enum class Colour : std::uint8_t { red, green };

struct Everything {
  static constexpr std::string_view content_type = "everything/v1";
  bool truth = false;
  std::uint8_t small = 0;
  std::uint64_t large = 0;
  std::string text;
  std::vector<std::byte> bytes;
  std::map<std::string, int> by_text;
  std::map<int, bool> by_number;
  std::variant<int, std::string> either;
  std::array<int, 2> two{};
  Colour colour = Colour::red;
  std::chrono::milliseconds time{};
  Spot spot;
};

Json value_in(std::string_view text) { return parse_json(text).value(); }

template <class T>
std::vector<std::byte> encoded(const Json& value) {
  std::vector<std::byte> bytes;
  schema_of<T>().encode(*cbor_encoder(bytes), JsonReader(value, "value"));
  return bytes;
}

std::string place_of_error(const Json& value) {
  try {
    encoded<Spot>(value);
  } catch (const JsonError& error) {
    return error.sentence();
  }
  return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(schema)

BOOST_AUTO_TEST_CASE(an_aggregate_with_names_is_an_object) {
  BOOST_TEST(to_text(schema_of<Spot>().to_json()) ==
             R"({"type":"object","properties":{"x":{"type":"integer","minimum":-2147483648,)"
             R"("maximum":2147483647},"y":{"type":"number"},"label":{"anyOf":[{"type":"string"},)"
             R"({"type":"null"}]}},"required":["x","y"],"additionalProperties":false})");
}

BOOST_AUTO_TEST_CASE(a_type_that_contains_itself_is_defined_once) {
  BOOST_TEST(to_text(schema_of<Tree>().to_json()) ==
             R"({"$ref":"#/$defs/type0","$defs":{"type0":{"type":"array","minItems":2,)"
             R"("maxItems":2,"prefixItems":[{"type":"string"},{"type":"array","items":)"
             R"({"$ref":"#/$defs/type0"}}]}}})");
  const Content content = Content::bytes(
      encoded<Tree>(value_in(R"(["root",[["leaf",[]],["other",[["deep",[]]]]]])")), "tree/v1");
  BOOST_TEST(content.as<Tree>().children.at(1).children.at(0).value == "deep");
}

BOOST_AUTO_TEST_CASE(json_becomes_the_value_that_the_society_encodes_and_back) {
  const Json value = value_in(
      R"([true,255,9223372036854775807,"é","AAE=",{"a":1},[[3,true]],[1,"other"],[5,6],1,1500,)"
      R"({"x":-1,"y":0.5,"label":"here"}])");
  const Content content = Content::bytes(encoded<Everything>(value), "everything/v1");
  const Everything& read = content.as<Everything>();
  BOOST_TEST(read.small == 255);
  BOOST_TEST(read.bytes.size() == 2U);
  BOOST_TEST(read.by_text.at("a") == 1);
  BOOST_TEST(read.by_number.at(3));
  BOOST_TEST(std::get<std::string>(read.either) == "other");
  BOOST_TEST(read.two[1] == 6);
  BOOST_TEST((read.colour == Colour::green));
  BOOST_TEST(read.time.count() == 1500);
  BOOST_TEST(*read.spot.label == "here");
  const Content again = Content::of(read);
  BOOST_TEST(to_text(schema_of<Everything>().decode(*cbor_decoder(again.bytes()))) ==
             to_text(value));
}

BOOST_AUTO_TEST_CASE(a_wrong_value_is_refused_with_its_place) {
  BOOST_TEST(place_of_error(value_in(R"({"x":1.5,"y":0})")).find("value.x") != std::string::npos);
  BOOST_TEST(place_of_error(value_in(R"({"x":3000000000,"y":0})")).find("value.x") !=
             std::string::npos);
  BOOST_TEST(place_of_error(value_in(R"({"x":1})")).find("'y'") != std::string::npos);
  BOOST_TEST(place_of_error(value_in(R"({"x":1,"y":2,"z":3})")).find("unknown name") !=
             std::string::npos);
  BOOST_TEST(place_of_error(value_in(R"([1,2])")).find("object") != std::string::npos);
  BOOST_TEST(place_of_error(value_in(R"({"x":1,"y":2})")) == "no error");
}

BOOST_AUTO_TEST_CASE(an_encoding_of_another_type_is_refused) {
  const std::vector<std::byte> bytes = encoded<Tree>(value_in(R"(["root",[]])"));
  BOOST_CHECK_THROW(schema_of<Everything>().decode(*cbor_decoder(bytes)), Error);
}

BOOST_AUTO_TEST_CASE(any_encoding_can_be_shown_as_json) {
  const Content content = Content::of(Tree{"root", {{"leaf", {}}}});
  BOOST_TEST(to_text(*decoded_json(content.bytes())) == R"(["root",[["leaf",[]]]])");
  const std::vector<std::byte> large = {std::byte{0x1b}, std::byte{0xff}, std::byte{0xff},
                                        std::byte{0xff}, std::byte{0xff}, std::byte{0xff},
                                        std::byte{0xff}, std::byte{0xff}, std::byte{0xff}};
  BOOST_TEST(decoded_json(large)->if_number().value() == 18446744073709551615.0);
  const std::vector<std::byte> broken = {std::byte{0x9f}, std::byte{0x01}};
  BOOST_TEST(!decoded_json(broken).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::web
