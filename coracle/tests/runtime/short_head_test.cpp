// The beginning of most frames between nodes: it is written and read at once, with the same bytes
// as number by number.
#include "coracle/support/core_frames.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace coracle::detail {

namespace {

constexpr ShortHead head{
    .target = 5, .source = 127, .flags = request_flag, .serial_step = 1, .sequence_step = 3};

std::vector<std::byte> written(const ShortHead& what) {
  FrameBuffer out;
  out.word(what.word());
  return {out.begin(), out.end()};
}

// Writes the same head number by number, as for all other messages.
std::vector<std::byte> spelled(const ShortHead& what, std::uint8_t bits = has_source,
                               std::uint64_t life = same_life_as_before) {
  std::vector<std::byte> bytes;
  FrameWriter out(bytes);
  out.byte(message_frame);
  out.number(what.target);
  out.number(what.serial_step);
  out.number(life);
  out.byte(bits);
  out.number(what.source);
  out.number(what.flags);
  out.number(what.sequence_step);
  return bytes;
}

bool is_short(std::vector<std::byte> bytes) {
  bytes.resize(std::max(bytes.size(), sizeof(std::uint64_t)));
  return ShortHead::is(*FrameReader(bytes).next_word());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(short_head)

BOOST_AUTO_TEST_CASE(its_bytes_are_those_of_its_numbers) {
  BOOST_TEST((written(head) == spelled(head)));
  BOOST_TEST(is_short(written(head)));
}

BOOST_AUTO_TEST_CASE(what_is_read_is_what_was_written) {
  const std::vector<std::byte> bytes = written(head);
  const ShortHead read = ShortHead::of(*FrameReader(bytes).next_word());
  BOOST_TEST(read.word() == head.word());
  BOOST_TEST(read.source == 127);
  BOOST_TEST(read.sequence_step == 3);
}

BOOST_AUTO_TEST_CASE(what_says_more_is_none) {
  BOOST_TEST(!is_short(spelled(head, has_source | has_fields)));
  BOOST_TEST(!is_short(spelled(head, has_source | is_tracked)));
  BOOST_TEST(!is_short(spelled(head, has_source | is_forbidden)));
  BOOST_TEST(!is_short(spelled(head, 0)));
  BOOST_TEST(!is_short(spelled(head, has_source, first_life + 1)));
  for (const std::uint16_t flag : {copy_flag, gap_flag, withheld_flag, letter_flag}) {
    std::vector<std::byte> bytes = spelled(head);
    bytes[6] = static_cast<std::byte>(flag < 0x80 ? flag : 0x80);
    BOOST_TEST(!is_short(bytes));
  }
}

BOOST_AUTO_TEST_CASE(larger_numbers_are_none) {
  for (const std::size_t at : {1, 2, 5, 7}) {
    std::vector<std::byte> bytes = spelled(head);
    bytes[at] |= std::byte{0x80};
    BOOST_TEST(!is_short(bytes));
  }
  std::vector<std::byte> other = spelled(head);
  other[0] = static_cast<std::byte>(slot_request_frame);
  BOOST_TEST(!is_short(other));
}

BOOST_AUTO_TEST_CASE(what_is_too_short_has_none) {
  std::vector<std::byte> bytes = spelled(head);
  bytes.pop_back();
  BOOST_TEST(!FrameReader(bytes).next_word().has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::detail
