#include "message/frames.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace coracle::http {
namespace {

// Reads bytes in pieces of that size; shows each message, and the code of a fault.
std::string read_frames(const std::string& bytes, bool expects_mask = false,
                        std::size_t longest = 1000, std::size_t piece = 1000) {
  FrameReader reader(expects_mask, longest);
  std::string all;
  for (std::size_t at = 0; at < bytes.size() && !reader.fault(); at += piece) {
    reader.read(std::string_view(bytes).substr(at, piece), [&](const Incoming& one) {
      all += std::to_string(static_cast<int>(one.opcode)) + ':' + one.payload + ' ';
      return true;
    });
  }
  if (reader.fault()) all += '!' + std::to_string(static_cast<int>(reader.fault()->code));
  return all;
}

std::string raw(std::initializer_list<int> bytes, const std::string& rest = "") {
  std::string text;
  for (const int each : bytes) text += static_cast<char>(each);
  return text + rest;
}

BOOST_AUTO_TEST_SUITE(frames)

BOOST_AUTO_TEST_CASE(the_examples_of_the_standard_are_read) {
  BOOST_TEST(read_frames(raw({0x81, 5}, "Hello")) == "1:Hello ");
  BOOST_TEST(read_frames(raw({0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58}),
                         true) == "1:Hello ");
  BOOST_TEST(read_frames(raw({0x01, 3}, "Hel") + raw({0x80, 2}, "lo")) == "1:Hello ");
  BOOST_TEST(read_frames(raw({0x89, 5}, "Hello")) == "9:Hello ");
  BOOST_TEST(accept_of("dGhlIHNhbXBsZSBub25jZQ==").value() == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

BOOST_AUTO_TEST_CASE(every_length_is_read_as_it_was_written_in_every_piece) {
  for (const std::size_t size : {0U, 1U, 125U, 126U, 127U, 65535U, 65536U}) {
    const std::string payload(size, 'x');
    for (const bool masked : {false, true}) {
      const auto mask = masked ? std::optional<std::uint32_t>(0x1234abcd) : std::nullopt;
      const std::string frame = write_frame(Opcode::binary, payload, mask);
      for (const std::size_t piece : {1U, 7U, 100000U})
        BOOST_TEST((read_frames(frame, masked, size, piece) == "2:" + payload + ' '));
    }
  }
}

BOOST_AUTO_TEST_CASE(control_frames_come_between_the_parts_of_a_message) {
  BOOST_TEST(read_frames(raw({0x02, 1}, "a") + raw({0x89, 1}, "p") + raw({0x00, 0}) +
                         raw({0x80, 1}, "b")) == "9:p 2:ab ");
}

BOOST_AUTO_TEST_CASE(what_breaks_the_rules_is_refused) {
  const std::string protocol = "!1002";
  BOOST_TEST(read_frames(raw({0x81, 5}, "Hello"), true) == protocol);      // no mask
  BOOST_TEST(read_frames(write_frame(Opcode::text, "x", 7)) == protocol);  // a mask
  BOOST_TEST(read_frames(raw({0xc1, 0})) == protocol);                     // a reserved bit
  BOOST_TEST(read_frames(raw({0x83, 0})) == protocol);                     // an unknown opcode
  BOOST_TEST(read_frames(raw({0x8b, 0})) == protocol);
  BOOST_TEST(read_frames(raw({0x80, 0})) == protocol);                   // the end of no message
  BOOST_TEST(read_frames(raw({0x01, 0}) + raw({0x81, 0})) == protocol);  // a message in a message
  BOOST_TEST(read_frames(raw({0x09, 0})) == protocol);                   // a part of a ping
  BOOST_TEST(read_frames(raw({0x89, 126, 0, 126}, std::string(126, 'p'))) == protocol);
  BOOST_TEST(read_frames(raw({0x82, 126, 0, 125})) == protocol);  // longer than it need be
  BOOST_TEST(read_frames(raw({0x82, 127, 0, 0, 0, 0, 0, 0, 0xff, 0xff})) == protocol);
  BOOST_TEST(read_frames(raw({0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0})) == protocol);
  BOOST_TEST(read_frames(raw({0x81, 2, 0xc3, 0x28})) == "!1007");  // not UTF-8
}

BOOST_AUTO_TEST_CASE(a_message_beyond_the_limit_is_refused_before_it_comes) {
  BOOST_TEST(read_frames(raw({0x82, 11}), false, 10) == "!1009");
  BOOST_TEST(read_frames(raw({0x82, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})) ==
             "!1009");
  BOOST_TEST(read_frames(raw({0x02, 6}, "123456") + raw({0x80, 5}), false, 10) == "!1009");
  BOOST_TEST(read_frames(raw({0x02, 6}, "123456") + raw({0x80, 4}, "7890"), false, 10) ==
             "2:1234567890 ");
}

BOOST_AUTO_TEST_CASE(reading_stops_where_it_is_told_to) {
  FrameReader reader(false, 100);
  const std::string two = write_frame(Opcode::text, "a") + write_frame(Opcode::text, "b");
  BOOST_TEST(reader.read(two, [](const Incoming&) { return false; }) == 3U);
  BOOST_TEST(reader.read(std::string_view(two).substr(3),
                         [](const Incoming& one) { return one.payload == "b"; }) == 3U);
}

BOOST_AUTO_TEST_CASE(close_frames_have_a_code_and_a_reason) {
  const auto again = closing_in(closing_payload({CloseCode::going_away, "stopping"}));
  BOOST_TEST((again->code == CloseCode::going_away));
  BOOST_TEST(again->reason == "stopping");
  BOOST_TEST((closing_in("")->code == CloseCode::none));
  BOOST_TEST(closing_payload({CloseCode::lost, "x"}).empty());
  const std::string cut = closing_payload({CloseCode::normal, std::string(122, 'a') + "\xc3\xbc"});
  BOOST_TEST(cut.size() == 124U);
  for (const std::string& bad : {raw({3}), raw({3, 0xed}), raw({0, 0}), raw({3, 0xe8, 0xff}),
                                 raw({0x13, 0x88}), raw({7, 0xd0})})
    BOOST_TEST(!closing_in(bad).has_value());
}

BOOST_AUTO_TEST_CASE(only_sixteen_bytes_are_a_key) {
  BOOST_TEST(accept_of(websocket_key(1, 2)).has_value());
  BOOST_TEST(websocket_key(1, 2) != websocket_key(2, 1));
  for (const char* key : {"", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ===",
                          "dGhlIHNhbXBsZSBub25j\r\n==", "dGhlIHNhbXBsZSBub25jZQAA"})
    BOOST_TEST(!accept_of(key).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
