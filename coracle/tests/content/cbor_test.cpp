#include "support/cbor_text.hpp"

#include "coracle/codec.hpp"
#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace {

using namespace coracle;
using namespace coracle::test;
using Bytes = std::vector<std::byte>;

std::string shown(std::span<const std::byte> bytes) {
  const auto decoder = cbor_decoder(bytes);
  std::string text = shown_item(*decoder);
  decoder->finish();
  return text;
}

std::string copied(std::span<const std::byte> bytes) {
  Bytes out;
  const auto encoder = cbor_encoder(out);
  const auto decoder = cbor_decoder(bytes);
  copy_item(*decoder, *encoder);
  return to_hex(out);
}

bool is_bad_encoding(const Error& error) {
  return error.errc() == Errc::bad_encoding && error.sentence().size() > 10;
}

// Returns whether `bytes` are read as some value (which must then also be passed over) or refused.
bool gives_value(std::span<const std::byte> bytes) {
  try {
    shown(bytes);
  } catch (const Error& error) {
    BOOST_REQUIRE(is_bad_encoding(error));
    return false;
  }
  const auto decoder = cbor_decoder(bytes);
  decoder->skip();
  decoder->finish();
  return true;
}

struct Vector {
  std::string hex, meaning, how;
};

std::vector<Vector> vectors() {
  const auto folder = std::filesystem::path(__FILE__).parent_path().parent_path();
  std::ifstream file(folder / "vectors" / "cbor.txt");
  std::vector<Vector> found;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    Vector& vector = found.emplace_back();
    words >> vector.hex >> vector.meaning >> vector.how;
  }
  BOOST_REQUIRE(found.size() > 250);
  return found;
}

template <class Write>
std::string written(Write write) {
  Bytes out;
  write(*cbor_encoder(out));
  return to_hex(out);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cbor)

BOOST_AUTO_TEST_CASE(encodings_of_another_implementation_mean_the_same_here) {
  for (const Vector& vector : vectors()) {
    if (vector.meaning == "error") continue;
    BOOST_TEST_CONTEXT(vector.hex) { BOOST_TEST(shown(from_hex(vector.hex)) == vector.meaning); }
  }
}

BOOST_AUTO_TEST_CASE(values_are_encoded_as_another_implementation_encodes_them) {
  for (const Vector& vector : vectors()) {
    if (vector.how == "again") BOOST_TEST(copied(from_hex(vector.hex)) == vector.hex);
    if (vector.how == "other") BOOST_TEST(shown(from_hex(copied(from_hex(vector.hex)))) ==
                                          vector.meaning);
  }
}

BOOST_AUTO_TEST_CASE(malformed_input_is_refused_whether_read_or_passed_over) {
  for (const Vector& vector : vectors()) {
    if (vector.meaning != "error") continue;
    BOOST_TEST_CONTEXT(vector.hex) {
      const Bytes bytes = from_hex(vector.hex);
      BOOST_CHECK_EXCEPTION(shown(bytes), Error, is_bad_encoding);
      if (vector.hex == "3bffffffffffffffff") continue;  // well-formed, only too large for us
      BOOST_CHECK_EXCEPTION(
          {
            const auto decoder = cbor_decoder(bytes);
            decoder->skip();
            decoder->finish();
          },
          Error, is_bad_encoding);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_prefix_of_an_encoding_is_refused) {
  for (const Vector& vector : vectors()) {
    if (vector.meaning == "error" || vector.hex.size() > 1000) continue;
    const Bytes bytes = from_hex(vector.hex);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const Bytes prefix(bytes.begin(), bytes.begin() + size);  // its end is the heap block's end
      BOOST_TEST(!gives_value(prefix));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_flipped_bit_gives_an_error_or_a_value) {
  std::size_t values = 0, errors = 0;
  for (const Vector& vector : vectors()) {
    if (vector.hex.size() > 400) continue;
    Bytes bytes = from_hex(vector.hex);
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      const auto mask = std::byte{1} << (bit % 8);
      bytes[bit / 8] ^= mask;
      ++(gives_value(bytes) ? values : errors);
      bytes[bit / 8] ^= mask;
    }
  }
  BOOST_TEST(values > 0);
  BOOST_TEST(errors > 0);
}

BOOST_AUTO_TEST_CASE(nesting_is_allowed_up_to_32_and_a_million_arrays_are_refused) {
  for (const auto nested : {std::byte{0x81}, std::byte{0x9f}, std::byte{0xd8}}) {
    const Bytes bytes(1'000'000, nested);
    BOOST_CHECK_EXCEPTION(shown(bytes), Error, is_bad_encoding);
    BOOST_CHECK_EXCEPTION(cbor_decoder(bytes)->skip(), Error, is_bad_encoding);
  }
  Bytes deepest(32, std::byte{0x81});
  deepest.back() = std::byte{0x80};
  BOOST_TEST(gives_value(deepest));
  deepest.insert(deepest.begin(), std::byte{0x81});
  BOOST_TEST(!gives_value(deepest));

  Bytes out;
  const auto encoder = cbor_encoder(out);
  for (int i = 0; i < 32; ++i) encoder->begin_array(1);
  BOOST_CHECK_EXCEPTION(encoder->begin_array(1), Error, is_bad_encoding);
}

BOOST_AUTO_TEST_CASE(a_count_beyond_the_input_is_refused_at_once) {
  for (const char* hex : {"9bffffffffffffffff00", "9a0000000200", "bb7fffffffffffffff00",
                          "ba000000020000", "bbffffffffffffffff00"}) {
    const Bytes bytes = from_hex(hex);
    const auto decoder = cbor_decoder(bytes);
    if (decoder->peek() == Shape::array) {
      BOOST_CHECK_EXCEPTION(decoder->begin_array(), Error, is_bad_encoding);
    } else {
      BOOST_CHECK_EXCEPTION(decoder->begin_map(), Error, is_bad_encoding);
    }
  }
}

BOOST_AUTO_TEST_CASE(memory_is_refused_beyond_four_times_the_input_and_64_kib) {
  const Bytes bytes(1000, std::byte{0x40});
  const auto decoder = cbor_decoder(bytes);
  decoder->charge(4 * 1000);
  decoder->charge(64 * 1024);
  BOOST_CHECK_EXCEPTION(decoder->charge(1), Error, is_bad_encoding);
  BOOST_CHECK_EXCEPTION(cbor_decoder(bytes)->charge(std::numeric_limits<std::size_t>::max()),
                        Error, is_bad_encoding);
}

BOOST_AUTO_TEST_CASE(numbers_at_their_limits_survive) {
  for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1},
                                   std::int64_t{0}, std::numeric_limits<std::int64_t>::max()}) {
    const auto hex = written([&](Encoder& encoder) { encoder.integer(value); });
    const Bytes bytes = from_hex(hex);
    BOOST_TEST(cbor_decoder(bytes)->integer() == value);
  }
  const Bytes largest = from_hex("1bffffffffffffffff");
  BOOST_TEST(cbor_decoder(largest)->unsigned_integer() == ~std::uint64_t{0});
  BOOST_CHECK_EXCEPTION(cbor_decoder(largest)->integer(), Error, is_bad_encoding);
  const Bytes negative = from_hex("20");
  BOOST_CHECK_EXCEPTION(cbor_decoder(negative)->unsigned_integer(), Error, is_bad_encoding);
  BOOST_TEST(cbor_decoder(negative)->floating() == -1.0);
}

BOOST_AUTO_TEST_CASE(what_is_left_in_an_array_or_map_is_passed_over) {
  for (const char* hex : {"828301a10203820405f5", "829f01bf0203ff5f4101ffff06"}) {
    const Bytes bytes = from_hex(hex);
    const auto decoder = cbor_decoder(bytes);
    BOOST_TEST(decoder->begin_array() == 2u);
    decoder->begin_array();
    BOOST_TEST(decoder->integer() == 1);
    decoder->peek();
    decoder->end_array();
    decoder->skip();
    BOOST_TEST((decoder->peek() == Shape::end));
    BOOST_CHECK_EXCEPTION(decoder->null(), Error, is_bad_encoding);
    decoder->end_array();
    decoder->finish();
  }
}

BOOST_AUTO_TEST_CASE(an_encoder_refuses_what_does_not_match_its_announcement) {
  BOOST_CHECK_EXCEPTION(written([](Encoder& encoder) {
    encoder.begin_array(1);
    encoder.end_array();
  }), Error, is_bad_encoding);
  BOOST_CHECK_EXCEPTION(written([](Encoder& encoder) {
    encoder.begin_map(1);
    encoder.null();
    encoder.null();
    encoder.null();
  }), Error, is_bad_encoding);
  BOOST_CHECK_EXCEPTION(written([](Encoder& encoder) {
    encoder.begin_array(0);
    encoder.end_map();
  }), Error, is_bad_encoding);
}

BOOST_AUTO_TEST_SUITE_END()
