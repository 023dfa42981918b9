#include "coracle/acl/bit_efficient_codec.hpp"

#include "codecs/bits/code_table.hpp"
#include "support/draw.hpp"
#include "support/hostile.hpp"
#include "support/jade.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

namespace {

using namespace coracle::acl;
using namespace coracle::acl::test;
using coracle::Errc;

std::string written(BitEfficientWriter& writer, const Message& message, bool learns = true) {
  std::string out;
  writer.write_into(out, message, learns);
  return out;
}

Message in_conversation(std::string id) {
  return {.performative = Performative::inform, .conversation_id = std::move(id)};
}

BOOST_AUTO_TEST_SUITE(code_table)

BOOST_AUTO_TEST_CASE(the_second_message_has_the_codes_that_jade_emits) {
  BitEfficientWriter writer(8);
  const std::string first = written(writer, jade_message());
  BOOST_TEST(to_hex(first.substr(0, 5)) == "fb 10 13 0b 10");
  BOOST_TEST(first.size() == jade_bits.size() - 2);  // the quotes of the ontology
  BOOST_TEST(to_hex(written(writer, jade_message())) == to_hex(jade_second_bits));
}

BOOST_AUTO_TEST_CASE(messages_that_jade_emits_with_a_table_are_read) {
  BitEfficientReader reader(8);
  std::string first = jade_bits;
  first[0] = '\xfb';
  BOOST_TEST((reader.read(first) == jade_message()));
  for (int i = 0; i < 3; ++i) BOOST_TEST((reader.read(jade_second_bits) == jade_message()));
}

BOOST_AUTO_TEST_CASE(a_table_of_more_than_256_places_has_indexes_of_two_bytes) {
  BitEfficientWriter writer(9);
  BitEfficientReader reader(9);
  BOOST_TEST((reader.read(written(writer, in_conversation("c"))) == in_conversation("c")));
  const std::string second = written(writer, in_conversation("c"));
  BOOST_TEST(to_hex(second) == "fb 10 08 0d 11 00 00 01");
  BOOST_TEST((reader.read(second) == in_conversation("c")));
}

BOOST_AUTO_TEST_CASE(a_string_is_read_by_either_code_of_an_index) {
  BitEfficientReader reader(8);
  BOOST_TEST(reader.read(from_hex("fb 10 08 0d 14 22 63 22 00 01")).conversation_id == "c");
  BOOST_TEST(reader.read(from_hex("fb 10 08 0d 11 00 01")).conversation_id == "c");
  BOOST_TEST(reader.read(from_hex("fb 10 08 0d 15 00 01")).conversation_id == "c");
  BOOST_TEST(text_of(reader.read(from_hex("fb 10 08 04 11 00 01"))) == "\"c\"");
}

BOOST_AUTO_TEST_CASE(words_of_expressions_are_in_the_table) {
  BitEfficientReader reader(8);
  BOOST_TEST(reader.read(from_hex("fb 10 08 0d 70 61 00 12 20 10 62 00 40 01")).conversation_id ==
             "(a 1 b)");
  BOOST_TEST(reader.read(from_hex("fb 10 08 0d 71 01 11 00 40 01")).conversation_id == "(b a)");
}

BOOST_AUTO_TEST_CASE(a_message_that_does_not_learn_only_uses_the_table) {
  BitEfficientWriter writer(8);
  BitEfficientReader reader(8);
  BOOST_TEST((reader.read(written(writer, in_conversation("a"))) == in_conversation("a")));
  BOOST_TEST(to_hex(written(writer, in_conversation("b"), false)) == "fc 10 08 0d 10 62 00 01");
  BOOST_TEST((reader.read(from_hex("fc 10 08 0d 10 62 00 01")) == in_conversation("b")));
  BOOST_TEST(to_hex(written(writer, in_conversation("a"), false)) == "fc 10 08 0d 11 00 01");
  BOOST_TEST((reader.read(from_hex("fc 10 08 0d 11 00 01")) == in_conversation("a")));
  BOOST_TEST(refusal([&] {
               reader.read(from_hex("fc 10 08 0d 11 01 01"));
             }).find("the code table has no text 1") != std::string::npos);
  // A message that learns nothing leaves the tables equal, even if it is refused.
  BOOST_TEST((reader.read(from_hex("fb 10 08 0d 11 00 01")) == in_conversation("a")));
}

BOOST_AUTO_TEST_CASE(a_message_without_a_table_leaves_it_as_it_is) {
  BitEfficientReader reader(8);
  reader.read(from_hex("fa 10 08 0d 10 61 00 01"));
  BOOST_TEST(refusal([&] {
               reader.read(from_hex("fa 10 08 0d 11 00 01"));
             }).find("there is no code table") != std::string::npos);
  BOOST_TEST((reader.read(from_hex("fb 10 08 0d 10 62 00 01")) == in_conversation("b")));
  BOOST_TEST((reader.read(from_hex("fb 10 08 0d 11 00 01")) == in_conversation("b")));
}

BOOST_AUTO_TEST_CASE(after_a_refused_message_the_table_is_used_no_more) {
  BitEfficientReader reader(8);
  const auto uses = [&](const char* hex) { return refusal([&] { reader.read(from_hex(hex)); }); };
  BOOST_TEST(uses("fb 10 08 0d 10 61 00 ff").find("0xff is no parameter") != std::string::npos);
  BOOST_TEST(uses("fb 10 08 0d 11 00 01").find("an earlier message was refused") !=
             std::string::npos);
  BOOST_TEST(uses("fc 10 08 01").find("an earlier message was refused") != std::string::npos);
  BOOST_TEST(uses("fa 10 08 01") == "");
}

BOOST_AUTO_TEST_CASE(a_full_table_forgets_an_eighth_that_was_not_used_for_the_longest_time) {
  CodeTable table(8);
  for (int i = 0; i < 256; ++i) table.add(std::to_string(i), false);
  table.use(0);
  table.use(5);
  BOOST_TEST(table.at(255)->text == "255");
  table.add("new", false);
  for (CodeTable::Code code = 0; code < 256; ++code) {
    const bool is_forgotten = code > 1 && code < 34 && code != 5;
    BOOST_TEST((table.at(code) == nullptr) == is_forgotten, code);
  }
  BOOST_TEST(table.at(1)->text == "new");  // the smallest free code
  BOOST_TEST(!table.find("1").has_value());
  BOOST_TEST(table.find("new").value() == 1);
  table.add("newer", false);
  BOOST_TEST(table.at(2)->text == "newer");
  for (int i = 0; i < 29; ++i) table.add("more" + std::to_string(i), false);
  BOOST_TEST(table.find("more28").has_value());
  BOOST_TEST(table.at(34)->text == "34");
  table.add("one more", false);
  BOOST_TEST(table.find("one more").value() == 33);
  table.add("again full", false);
  BOOST_TEST(table.at(34)->text == "again full");
}

BOOST_AUTO_TEST_CASE(a_table_counts_the_bytes_of_its_texts) {
  CodeTable table(8);
  for (int i = 0; i < 256; ++i) table.add(std::to_string(100 + i), false);
  BOOST_TEST(table.bytes() == 3 * 256);
  table.add("x", false);
  BOOST_TEST(table.bytes() == 3 * (256 - 32) + 1);
}

BOOST_AUTO_TEST_CASE(a_table_has_between_8_and_16_bits) {
  for (const unsigned bits : {0u, 7u, 17u, 64u}) {
    BOOST_TEST(refusal(Errc::bad_options, [&] { BitEfficientWriter writer(bits); }) ==
               "a code table cannot have 2^" + std::to_string(bits) +
                   " places; give a number from 8 to 16");
    BOOST_TEST(refusal(Errc::bad_options, [&] { BitEfficientReader reader(bits); }) != "");
  }
}

BOOST_AUTO_TEST_CASE(texts_for_which_the_table_has_no_room_are_not_learnt) {
  const Limits limits{.table_bytes = 10};
  BitEfficientWriter writer(8, limits);
  BitEfficientReader reader(8, limits);
  for (const auto& [id, kind] :
       {std::pair("12345678", '\xfb'), {"1234567", '\xfc'}, {"12", '\xfb'}, {"3", '\xfc'}}) {
    const std::string bits = written(writer, in_conversation(id));
    BOOST_TEST(bits[0] == kind);
    BOOST_TEST((reader.read(bits) == in_conversation(id)));
  }
  BOOST_TEST(refusal(Errc::too_large, [&] {
               reader.read(from_hex("fb 10 08 0d 10 33 00 01"));
             }).find("more than 10 bytes for the code table") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_short_message_cannot_name_long_texts_without_end) {
  BitEfficientReader reader(8, {.bytes = 1000});
  reader.read(
      written(*std::make_unique<BitEfficientWriter>(8), in_conversation(std::string(400, 'x'))));
  BOOST_TEST((reader.read(from_hex("fc 10 08 0d 11 00 05 11 00 01")).reply_with.size() == 400));
  BOOST_TEST(refusal(Errc::too_large, [&] {
               reader.read(from_hex("fc 10 08 0d 11 00 05 11 00 07 11 00 01"));
             }).find("more than 1000 bytes in its texts") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_sequence_of_messages_comes_back_through_a_table) {
  const bool holds = rc::check([] {
    const unsigned bits = *rc::gen::inRange(8u, 17u);
    BitEfficientWriter writer(bits, {.table_bytes = 20'000});
    BitEfficientReader reader(bits, {.table_bytes = 20'000});
    for (std::size_t left = *rc::gen::inRange<std::size_t>(1, 20); left > 0; --left) {
      Message message =
          draw_message({any_texts().in_values, texts_without_zero().in_names}, plain_keys());
      if (text_of(message).find('\0') != std::string_view::npos) message.content = "";
      // More texts than a small table has places.
      for (std::size_t more = *rc::gen::inRange<std::size_t>(0, 60); more > 0; --more) {
        message.receivers.push_back({.name = "n" + std::to_string(*rc::gen::inRange(0, 600))});
      }
      const bool learns = *rc::gen::inRange(0, 4) > 0;
      RC_ASSERT(reader.read(written(writer, message, learns)) == message);
    }
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
