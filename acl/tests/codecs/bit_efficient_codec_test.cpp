#include "coracle/acl/bit_efficient_codec.hpp"

#include "support/draw.hpp"
#include "support/hostile.hpp"
#include "support/jade.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

namespace {

using namespace coracle::acl;
using namespace coracle::acl::test;
using namespace std::string_literals;
using coracle::Bytes;
using coracle::Errc;

Message read_hex(std::string_view hex) { return read_bit_efficient(from_hex(hex)); }
std::string write_hex(const Message& message) { return to_hex(write_bit_efficient(message)); }

// The conversation id when it is written so.
std::string id_read(std::string_view hex) {
  return read_hex("fa 10 08 0d" + std::string(hex) + "01").conversation_id;
}

std::string why_no_bits(std::string_view hex) {
  return refusal([&] { read_hex(hex); });
}

BOOST_AUTO_TEST_SUITE(bit_efficient_codec)

BOOST_AUTO_TEST_CASE(the_bits_that_jade_emits_are_read) {
  BOOST_TEST((read_bit_efficient(jade_bits) == jade_message()));
  BOOST_TEST((read_hex("fa 10 08 01") == Message{.performative = Performative::inform}));
}

BOOST_AUTO_TEST_CASE(the_bits_that_jade_emits_are_written_with_values_that_have_no_quotes) {
  std::string expected = jade_bits;
  const std::string jade = from_hex("14 22 6d 79 20 6f 6e 74 6f 22 00");  // "my onto"
  const std::string ours = from_hex("10 6d 79 20 6f 6e 74 6f 00");        // my onto
  expected.replace(expected.find(jade), jade.size(), ours);
  BOOST_TEST(to_hex(write_bit_efficient(jade_message())) == to_hex(expected));
  BOOST_TEST(write_hex({.performative = Performative::inform}) == "fa 10 08 01");
}

BOOST_AUTO_TEST_CASE(each_performative_has_the_code_of_the_table) {
  constexpr std::uint8_t codes[] = {1,    2,    3,    4,    5,    6,    7,    8,
                                    9,    0x0a, 0x0b, 0x0d, 0x0f, 0x10, 0x11, 0x12,
                                    0x13, 0x14, 0x15, 0x16, 0x0e, 0x0c};
  for (unsigned number = 0; number < performatives; ++number) {
    const Message message{.performative = Performative(number)};
    const std::string bits{'\xfa', '\x10', static_cast<char>(codes[number]), '\x01'};
    BOOST_TEST(write_bit_efficient(message) == bits);
    BOOST_TEST((read_bit_efficient(bits) == message));
  }
}

BOOST_AUTO_TEST_CASE(a_performative_may_be_a_word) {
  BOOST_TEST((read_hex("fa 10 00 10 43 66 70 00 01").performative == Performative::cfp));
}

BOOST_AUTO_TEST_CASE(bytes_have_a_length_of_as_many_bytes_as_they_need) {
  const auto written = [](std::size_t size) {
    Message message{.performative = Performative::inform, .content = Bytes(size, std::byte{7})};
    const std::string bits = write_bit_efficient(message);
    BOOST_TEST((read_bit_efficient(bits) == message));
    return to_hex(bits.substr(0, bits.size() - size - 1));
  };
  BOOST_TEST(written(4) == "fa 10 08 04 16 04");
  BOOST_TEST(written(255) == "fa 10 08 04 16 ff");
  BOOST_TEST(written(300) == "fa 10 08 04 17 01 2c");
  BOOST_TEST(written(65'535) == "fa 10 08 04 17 ff ff");
  BOOST_TEST(written(65'536) == "fa 10 08 04 19 00 01 00 00");
  BOOST_TEST(write_hex({.performative = Performative::inform, .content = Bytes()}) ==
             "fa 10 08 01");
}

BOOST_AUTO_TEST_CASE(text_of_the_content_is_taken_as_it_is) {
  BOOST_TEST(text_of(read_hex("fa 10 08 04 14 22 68 69 22 00 01")) == "\"hi\"");
  BOOST_TEST(text_of(read_hex("fa 10 08 04 10 68 69 00 01")) == "hi");
  for (const std::string text : {"\"hi\"", "#3\"abc", "caf\xc3\xa9", "\xff\x01", "(a b)"}) {
    const Message message{.content = text};
    BOOST_TEST((read_bit_efficient(write_bit_efficient(message)) == message), text);
  }
  BOOST_TEST((read_hex("fa 10 08 04 16 00 01") == Message{.performative = Performative::inform}));
}

BOOST_AUTO_TEST_CASE(bytes_that_carry_the_mark_of_the_string_form_stay_bytes) {
  const Message message = read_hex(
      "fa 10 08 04 16 01 41 00 10 4a 41 44 45 2d 45 6e 63 6f 64 69 6e 67 00 14 42 61 73 65 36 34"
      "00 01");
  BOOST_TEST((message.content == Body(Bytes{std::byte{'A'}})));
  BOOST_TEST(message.user.empty());
}

BOOST_AUTO_TEST_CASE(a_value_is_read_in_each_of_its_forms) {
  BOOST_TEST(id_read("10 63 20 31 00") == "c 1");
  BOOST_TEST(id_read("10 22 63 22 00") == "\"c\"");
  BOOST_TEST(id_read("14 63 31 00") == "c1");
  BOOST_TEST(id_read("14 22 61 5c 22 62 22 00") == "a\"b");
  BOOST_TEST(id_read("14 22 61 5c 22 00") == "\"a\\\"");  // the last quote is escaped
  BOOST_TEST(id_read("14 22 00") == "\"");
  BOOST_TEST(id_read("16 02 00 22") == "\0\""s);
  BOOST_TEST(id_read("17 00 01 61") == "a");
  BOOST_TEST(id_read("19 00 00 00 01 61") == "a");
  BOOST_TEST(id_read("ff 14 22 61 22 00") == "a");
  BOOST_TEST(id_read("ff 16 01 61") == "a");
}

BOOST_AUTO_TEST_CASE(a_number_is_read_as_its_characters) {
  BOOST_TEST(id_read("12 23 40") == "123");
  BOOST_TEST(id_read("12 23 00") == "12");
  BOOST_TEST(id_read("12 00") == "");
  BOOST_TEST(id_read("12 e2 f6 d4 00") == "-1.5E3");
  BOOST_TEST(id_read("12 c1 a0") == "+09");
  BOOST_TEST(id_read("13 36 00") == "25");  // 0x19, which was converted
}

BOOST_AUTO_TEST_CASE(an_expression_is_read_as_its_text) {
  BOOST_TEST(id_read("70 61 00 12 23 40 40") == "(a 123)");
  BOOST_TEST(id_read("70 61 00 12 23 00 40") == "(a 12)");  // digits in an even number
  BOOST_TEST(id_read("60 40") == "()");
  BOOST_TEST(id_read("60 60 40 40") == "(())");
  BOOST_TEST(id_read("70 61 00 70 62 00 50 63 00 40") == "(a (b) c)");
  BOOST_TEST(id_read("70 61 00 60 40 70 62 00 40 40") == "(a () (b))");
  BOOST_TEST(id_read("74 22 61 20 62 22 00 16 02 63 64 40") == "(\"a b\" #2\"cd)");
  BOOST_TEST(id_read("72 20 76 01 61 56 01 62 12 30 40") == "(1 (#1\"a) #1\"b 2)");
  BOOST_TEST(id_read("60 73 20 52 30 40") == "((1) 2)");
}

BOOST_AUTO_TEST_CASE(long_bytes_in_expressions_are_read_by_the_code_of_fipa_and_by_that_of_jade) {
  for (const std::string length_first : {"78", "79"}) {
    BOOST_TEST(id_read(length_first + "00 00 00 02 61 62 40") == "(#2\"ab)");
  }
}

BOOST_AUTO_TEST_CASE(a_user_parameter_may_be_empty) {
  const Message expected{.performative = Performative::inform, .user = {{"foo", ""}}};
  BOOST_TEST((read_hex("fa 10 08 00 10 66 6f 6f 00 00 01") == expected));  // by JADE
  BOOST_TEST((read_hex("fa 10 08 00 10 66 6f 6f 00 14 00 01") == expected));
  BOOST_TEST(write_hex(expected) == "fa 10 08 00 10 66 6f 6f 00 14 00 01");
}

BOOST_AUTO_TEST_CASE(all_that_an_agent_has_is_written_and_read) {
  const Message message{.performative = Performative::inform,
                        .sender = {.name = "a",
                                   .addresses = {"x", "y"},
                                   .resolvers = {{.name = "b", .addresses = {"z"}}},
                                   .user = {{"k", "\"v\""}}}};
  const std::string hex =
      "fa 10 08 02 02 10 61 00 02 10 78 00 10 79 00 01 03 02 10 62 00 02 10 7a 00 01 01 01 04 10 6b"
      " 00 14 22 76 22 00 01 01";
  BOOST_TEST(write_hex(message) == hex);
  BOOST_TEST((read_hex(hex) == message));
}

BOOST_AUTO_TEST_CASE(a_date_has_a_code_for_its_kind_and_its_zone) {
  for (const auto& [date, hex] : std::initializer_list<std::pair<const char*, const char*>>{
           {"20231114T221320123Z", "24 31 34 22 25 33 24 31 23 40 5a"},
           {"20231114T221320123", "20 31 34 22 25 33 24 31 23 40"},
           {"+00000000T000005000", "21 11 11 11 11 11 11 16 11 10"},
           {"-00000000T000005000", "22 11 11 11 11 11 11 16 11 10"},
           {"+00000000T000005000b", "25 11 11 11 11 11 11 16 11 10 62"},
           {"-00000000T000005000Z", "26 11 11 11 11 11 11 16 11 10 5a"},
           {"20000508T042651481", "20 31 11 16 19 15 37 62 59 20"}}) {
    const Message message{.performative = Performative::inform, .reply_by = date_time_from(date)};
    const std::string expected = "fa 10 08 06 " + std::string(hex) + " 01";
    BOOST_TEST(write_hex(message) == expected);
    BOOST_TEST((read_hex(expected) == message), date);
  }
}

BOOST_AUTO_TEST_CASE(a_message_for_a_table_that_uses_no_index_is_read_without_one) {
  BOOST_TEST((read_hex("fb 10 08 0d 10 63 00 01").conversation_id == "c"));
  BOOST_TEST((read_hex("fc 10 08 0d 10 63 00 01").conversation_id == "c"));
}

BOOST_AUTO_TEST_CASE(every_message_comes_back_as_bits) {
  const bool holds = rc::check([] {
    const Message message =
        draw_message({any_texts().in_values, texts_without_zero().in_names}, plain_keys());
    RC_PRE(text_of(message).find('\0') == std::string_view::npos);
    RC_ASSERT(read_bit_efficient(write_bit_efficient(message)) == message);
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(bad_bits_are_refused_with_the_place_and_the_reason) {
  const std::pair<std::string, std::string> table[] = {
      {"", "at byte 0, the input is cut off"},
      {"28", "at byte 0, 0x28 is no beginning of a message; it must be 0xfa, 0xfb or 0xfc"},
      {"fa 11", "at byte 1, 0x11 is no known version"},
      {"fa 10 17", "at byte 2, 0x17 is no performative"},
      {"fa 10 00 10 78 00", "there is no performative \"x\""},
      {"fa 10 08 01 00", "at byte 4, something follows the message"},
      {"fa 10 08 0e", "at byte 3, 0x0e is no parameter of a message"},
      {"fa 10 08 02 10", "at byte 4, 0x10 is no beginning of an agent"},
      {"fa 10 08 02 02 14 61 00 01 01", "at byte 5, 0x14 is no word"},
      {"fa 10 08 02 02 10 00 01 01", "an agent has no name"},
      {"fa 10 08 02 02 10 61 00 05 01", "at byte 8, 0x05 is no part of an agent"},
      {"fa 10 08 03 10 61 00 01 01", "at byte 4, 0x10 is no beginning of an agent"},
      {"fa 10 08 0c 14 61 00 01", "at byte 4, 0x14 is no word"},
      {"fa 10 08 0d 18 00 01", "at byte 4, 0x18 is no code of bytes"},
      {"fa 10 08 0d 30 01", "at byte 4, 0x30 is no code of bytes"},
      {"fa 10 08 0d ff 10 61 00 01", "at byte 5, 0x10 is no string"},
      {"fa 10 08 0d ff 60 40 01", "at byte 5, 0x60 is no string"},
      {"fa 10 08 0d 16 05 61 01", "a text of 5 bytes is longer than the input"},
      {"fa 10 08 0d 19 ff ff ff ff 01", "a text of 4294967295 bytes is longer than the input"},
      {"fa 10 08 0d 10 61", "a text has no zero byte at its end"},
      {"fa 10 08 0d 11 00 01", "at byte 4, 0x11 is no code here, because there is no code table"},
      {"fb 10 08 0d 15 00 01", "at byte 4, 0x15 is no code here, because there is no code table"},
      {"fa 10 08 0d 12 0b 01", "at byte 5, 0x0b is no pair of digits"},
      {"fa 10 08 0d 12 1b 01", "at byte 5, 0x1b is no pair of digits"},
      {"fa 10 08 0d 40 01", "at byte 4, 0x40 is no beginning of a value"},
      {"fa 10 08 0d 60 50 61 00 01", "is no end of an expression"},
      {"fa 10 08 0d 60 20 40 01", "at byte 5, 0x20 is no part of an expression"},
      {"fa 10 08 0d 60 01", "at byte 5, 0x01 is no code of bytes"},
      {"fa 10 08 04 12 20 01", "at byte 4, 0x12 is no code of bytes"},
      {"fa 10 08 06 23", "at byte 4, 0x23 is no kind of a date"},
      {"fa 10 08 06 27", "at byte 4, 0x27 is no kind of a date"},
      {"fa 10 08 06 30", "at byte 4, 0x30 is no kind of a date"},
      {"fa 10 08 06 20 3b 34 22 25 33 24 31 23 40 01", "0x3b is no pair of digits of a date"},
      {"fa 10 08 06 20 31 34 22 25 33 24 31 23 41 01", "0x41 is no end of a date"},
      {"fa 10 08 06 20 31 34 22 25 33 24 31 23 b0 01", "0xb0 is no pair of digits of a date"},
      {"fa 10 08 06 24 31 34 22 25 33 24 31 23 40 20 01", "0x20 is no zone of a date"},
  };
  for (const auto& [hex, reason] : table) {
    const std::string sentence = why_no_bits(hex);
    BOOST_TEST(sentence.starts_with("cannot read the bit-efficient form of a message: at byte "));
    BOOST_TEST(sentence.find(reason) != std::string::npos, sentence << " instead of " << reason);
  }
}

BOOST_AUTO_TEST_CASE(bits_that_are_cut_off_anywhere_are_refused) {
  check_cut_off(jade_bits, [](std::string_view part) { read_bit_efficient(part); });
  check_cut_off(
      from_hex("fa 10 08 02 02 10 61 00 03 02 10 62 00 01 01 04 10 6b 00 12 20 01 0d 70 61"
               "00 76 01 62 40 40 04 17 00 01 62 01"),
      [](std::string_view part) { read_bit_efficient(part); });
}

BOOST_AUTO_TEST_CASE(messages_with_a_zero_byte_where_there_is_no_room_are_not_written) {
  const auto reason = [](auto change) {
    Message message;
    change(message);
    std::string out = "before";
    const std::string sentence = refusal([&] { write_bit_efficient_into(out, message); });
    BOOST_TEST(out == "before");
    BOOST_TEST(sentence.starts_with("cannot write the bit-efficient form of a message: "));
    return sentence.substr(sentence.find(": ") + 2);
  };
  const std::string zero = "a\0"s;
  BOOST_TEST(reason([&](Message& m) { m.sender.name = zero; }) ==
             "the name \"a\\x00\" has a zero byte, for which there is no room; leave it out");
  BOOST_TEST(reason([&](Message& m) {
               m.receivers = {{.name = "a", .addresses = {zero}}};
             }).starts_with("the address "));
  BOOST_TEST(reason([&](Message& m) {
               m.reply_to = {{.name = "a", .resolvers = {{zero}}}};
             }).starts_with("the name "));
  BOOST_TEST(reason([&](Message& m) {
               m.sender = {.name = "a", .user = {{zero, ""}}};
             }).starts_with("the parameter of an agent "));
  BOOST_TEST(reason([&](Message& m) { m.content = zero; }).starts_with("the content "));
  BOOST_TEST(reason([&](Message& m) { m.protocol = zero; }).starts_with("the protocol "));
  BOOST_TEST(reason([&](Message& m) { m.user = {{zero, ""}}; }).starts_with("the user parameter "));
  BOOST_TEST(
      reason([&](Message& m) { m.sender.addresses = {"x"}; }).starts_with("an agent has no"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
