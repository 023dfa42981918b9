// The error of a failed decoding names the place in the value.
#include "support/cbor_text.hpp"

#include "coracle/codec.hpp"
#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <boost/test/unit_test.hpp>

#include <fmt/format.h>

namespace {

using namespace coracle;
using namespace coracle::test;

struct Bid {
  static constexpr std::string_view content_type = "bid/v1";
  std::string bidder;
  std::uint8_t price = 0;
};

struct Many {
  static constexpr std::string_view content_type = "many/v1";
  std::vector<int> items;
};

struct Round {
  static constexpr std::string_view content_type = "round/v1";
  int number = 0;
  std::vector<Bid> bids;
  std::map<std::string, int> limits;
};

// Returns the sentence with which the bytes `hex` are refused as a T, without the parts that are
// the same for all.
template <class T = Round>
std::string refusal(std::string_view hex) {
  try {
    Content::bytes(from_hex(hex), content_type_of<T>()).template as<T>();
  } catch (const Error& error) {
    BOOST_TEST((error.errc() == Errc::bad_encoding));
    std::string text = error.sentence();
    const std::string begin = "cannot decode \"" + std::string(content_type_of<T>()) + "\": ";
    const std::string end = "; build sender and receiver with the same definition of the type";
    BOOST_REQUIRE(text.starts_with(begin));
    BOOST_REQUIRE(text.ends_with(end));
    text = text.substr(begin.size(), text.size() - begin.size() - end.size());
    constexpr std::string_view hint = " (fields and items count from 0)";
    if (text.ends_with(hint)) text.resize(text.size() - hint.size());
    return text;
  }
  return "no refusal";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(decode_place)

BOOST_AUTO_TEST_CASE(a_wrong_item_is_named_by_the_way_to_it) {
  // [1, [["a", 7], ["b", 300]], {}], then the same with true in place of "b", and with no number.
  BOOST_TEST(refusal("8301828261610782616219012ca0") ==
             "an integer does not fit its type, at [1][1][1]");
  BOOST_TEST(refusal("8301828261610782f507a0") == "expected text, at [1][1][0]");
  BOOST_TEST(refusal("83f580a0") == "expected an integer, at [0]");
}

BOOST_AUTO_TEST_CASE(a_value_of_a_map_is_named_by_its_key) {
  BOOST_TEST(refusal("830180a261780161796161") == "expected an integer, at [2][\"y\"]");
  BOOST_TEST(refusal("830180a2617801617802") == "a map has the same key twice, at [2][key 1]");
  BOOST_TEST(refusal("830180a1611b40") == "expected an integer, at [2][\"\\x1b\"]");
}

BOOST_AUTO_TEST_CASE(arrays_of_indefinite_length_and_tags_count_alike) {
  BOOST_TEST(refusal("9f01c19f9f616107ff9f6162f5ffffa0ff") ==
             "expected an integer without a sign, at [1][1][1]");
}

BOOST_AUTO_TEST_CASE(an_input_that_ends_too_early_is_named_by_what_is_missing) {
  BOOST_TEST(refusal("8301828261610782") ==
             "it announces more items than there are bytes, at [1][1]");
  BOOST_TEST(refusal("83018182616a") == "the input ends too early, at [1][0][1]");
}

BOOST_AUTO_TEST_CASE(of_a_large_input_no_place_is_sought) {
  const auto items = [](std::size_t count) {
    std::string hex = "819b0000000000" + fmt::format("{:06x}", count + 1);
    for (std::size_t item = 0; item < count; ++item) hex += "01";
    return hex + "f5";
  };
  BOOST_TEST(refusal<Many>(items(1000)) == "expected an integer, at [0][1000]");
  BOOST_TEST(refusal<Many>(items(std::size_t{256} << 10)) == "expected an integer");
}

BOOST_AUTO_TEST_CASE(the_value_itself_has_no_place) {
  BOOST_TEST(refusal("f5") == "expected an array");
  BOOST_TEST(refusal<int>("6161") == "expected an integer");
  BOOST_TEST(refusal<int>("0101") == "bytes follow the value");
}

BOOST_AUTO_TEST_SUITE_END()
