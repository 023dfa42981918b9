// The encoding of frames: each number has one form.
#include "coracle/support/bytes.hpp"

#include <boost/test/unit_test.hpp>

#include <span>
#include <vector>

namespace coracle::detail {
namespace {

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;

BOOST_AUTO_TEST_SUITE(frame_bytes)

BOOST_AUTO_TEST_CASE(a_number_is_read_as_it_was_written_and_not_if_it_is_cut) {
  for (const std::uint64_t value :
       {0ull, 1ull, 127ull, 128ull, 16383ull, 16384ull, 1ull << 35, ~0ull}) {
    Bytes bytes;
    FrameWriter(bytes).number(value);
    BOOST_TEST(bytes.size() == number_bytes(value));
    FrameBuffer buffer;
    buffer.clear();
    buffer.number(value);
    BOOST_TEST((Bytes(buffer.begin(), buffer.end()) == bytes));
    FrameReader reader(bytes);
    BOOST_TEST(reader.number() == value);
    BOOST_TEST(reader.done());
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      FrameReader cut(ByteSpan(bytes).first(length));
      BOOST_TEST(cut.number() == 0u);
      BOOST_TEST(!cut.ok());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_number_in_another_than_its_shortest_form_is_refused) {
  const std::vector<std::vector<int>> wrong = {
      {0x80, 0x00},
      {0xff, 0x80, 0x00},
      {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},
      {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}};
  for (const auto& each : wrong) {
    Bytes bytes;
    for (const int byte : each) bytes.push_back(static_cast<std::byte>(byte));
    FrameReader reader(bytes);
    reader.number();
    BOOST_TEST(!reader.ok());
  }
}

BOOST_AUTO_TEST_CASE(words_and_bytes_are_read_only_if_they_are_there) {
  Bytes bytes;
  FrameWriter out(bytes);
  out.word(0x0102030405060708);
  out.bytes(std::as_bytes(std::span("abc", 3)));
  BOOST_TEST((bytes.front() == std::byte{8}));
  FrameReader reader(bytes);
  BOOST_TEST(reader.word() == 0x0102030405060708u);
  BOOST_TEST(reader.bytes(2).size() == 2u);
  BOOST_TEST(!reader.done());
  BOOST_TEST(reader.bytes(1).size() == 1u);
  BOOST_TEST(reader.done());
  BOOST_TEST(reader.bytes(~0ull).empty());
  BOOST_TEST(!reader.ok());
  FrameReader cut(ByteSpan(bytes).first(7));
  BOOST_TEST(cut.word() == 0u);
  BOOST_TEST(!cut.ok());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::detail
