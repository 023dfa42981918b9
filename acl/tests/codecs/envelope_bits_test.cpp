#include "coracle/acl/envelope_codec.hpp"

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

// The envelope that JADE's codec emits.
const std::string jade_envelope_bits = from_hex(
    "fe 00 6f 10 24 31 34 22 25 33 24 31 23 40 5a 02 02 62 6f 62 40 70 32 00 02 68 74 74 70 3a 2f "
    "2f"
    "31 32 37 2e 30 2e 30 2e 31 3a 37 37 37 39 2f 61 63 63 00 01 04 6b 00 76 00 01 01 03 02 62 6f "
    "62"
    "40 70 32 00 02 68 74 74 70 3a 2f 2f 31 32 37 2e 30 2e 30 2e 31 3a 37 37 37 39 2f 61 63 63 00 "
    "01"
    "04 6b 00 76 00 01 05 68 69 00 06 23 45 00 01");

Envelope bits_envelope_of_jade() {
  const AgentId bob{
      .name = "bob@p2", .addresses = {"http://127.0.0.1:7779/acc"}, .user = {{"k", "v"}}};
  return {.to = {bob},
          .from = bob,
          .comments = "hi",
          .representation = std::string(bit_efficient_representation),
          .payload_length = 1234,
          .date = date_time_from("20231114T221320123Z")};
}

// An envelope with the least that it must have, and these fields.
std::string base_hex(std::string_view fields) {
  const std::string bits =
      from_hex("11 20 31 11 16 19 15 37 62 59 20" + std::string(fields) + "01");
  return "\xfe\x00"s + static_cast<char>(bits.size() + 3) + bits;
}

Envelope read_fields(std::string_view fields) {
  return read_envelope_bits(base_hex(fields)).envelope;
}

const DateTime day = *date_time_from("20000508T042651481");

Envelope with_fields(Envelope envelope) {
  envelope.representation = string_representation;
  envelope.date = day;
  return envelope;
}

BOOST_AUTO_TEST_SUITE(envelope_bits)

BOOST_AUTO_TEST_CASE(the_bits_of_an_envelope_that_jade_emits_are_read_and_written) {
  const EnvelopeBits read = read_envelope_bits(jade_envelope_bits + "message");
  BOOST_TEST((read.envelope == bits_envelope_of_jade()));
  BOOST_TEST(read.bytes == jade_envelope_bits.size());
  BOOST_TEST(to_hex(write_envelope_bits(bits_envelope_of_jade())) == to_hex(jade_envelope_bits));
}

BOOST_AUTO_TEST_CASE(each_field_has_its_code) {
  Envelope envelope = with_fields({});
  BOOST_TEST(to_hex(write_envelope_bits(envelope)) ==
             "fe 00 0f 11 20 31 11 16 19 15 37 62 59 20 01");
  const auto check = [](const Envelope& fields, const std::string& hex) {
    const std::string bits = base_hex(hex);
    BOOST_TEST(to_hex(write_envelope_bits(with_fields(fields))) == to_hex(bits));
    BOOST_TEST((read_envelope_bits(bits).envelope == with_fields(fields)), hex);
  };
  check({.to = {{.name = "a"}, {.name = "b"}}}, "02 02 61 00 01 02 62 00 01 01");
  check({.from = {.name = "a", .addresses = {"x", ""}}}, "03 02 61 00 02 78 00 00 01 01");
  check({.from = {.name = "a", .resolvers = {{.name = "b"}, {.name = "c"}}}},
        "03 02 61 00 03 02 62 00 01 02 63 00 01 01 01");
  check({.comments = "c"}, "05 63 00");
  check({.payload_length = 0}, "06 10");
  check({.payload_length = 12345}, "06 23 45 60");
  check({.payload_encoding = "x"}, "07 78 00");
  check({.intended_receivers = {{.name = "a"}}}, "09 02 61 00 01 01");
  check({.received = {{.by = "x", .date = day}}}, "0a 78 00 20 31 11 16 19 15 37 62 59 20 01");
  check({.received =
             {{.by = "x", .from = "f", .date = day, .id = "i", .via = "v", .user = {{"k", "w"}}}}},
        "0a 78 00 20 31 11 16 19 15 37 62 59 20 02 66 00 03 69 00 04 76 00 00 6b 00 77 00 01");
  check({.transport_behaviour = "t"}, "0b 14 74 00");
  check({.transport_behaviour = Bytes{std::byte{0}}}, "0b 16 01 00");
  check({.user = {{.name = "k", .value = "v w"}}}, "00 6b 00 76 20 77 00");
}

BOOST_AUTO_TEST_CASE(a_representation_has_a_code_or_a_name) {
  for (const auto& [name, hex] : std::initializer_list<std::pair<std::string, std::string>>{
           {"fipa.acl.rep.bitefficient.std", "10"},
           {"fipa.acl.rep.string.std", "11"},
           {"fipa.acl.rep.xml.std", "12"},
           {"x", "00 78 00"},
           {"", "00 00"}}) {
    const Envelope envelope{.representation = name, .date = day};
    const std::string bits = write_envelope_bits(envelope);
    BOOST_TEST(to_hex(bits.substr(3, bits.size() - 14)) == hex);
    BOOST_TEST((read_envelope_bits(bits).envelope == envelope));
  }
}

BOOST_AUTO_TEST_CASE(properties_are_read_as_jade_writes_them_and_as_fipa_does) {
  BOOST_TEST((read_fields("00 6b 20 76 00 05 63 00").user == std::vector<Property>{{"k", "v"}}));
  BOOST_TEST((read_fields("00 6b 20 76 20 77 00").user == std::vector<Property>{{"k", "v w"}}));
  BOOST_TEST((read_fields("00 6b 20 00").user == std::vector<Property>{{"k", ""}}));
  BOOST_TEST((read_fields("00 6b 00 76 00").user == std::vector<Property>{{"k", "v"}}));
}

BOOST_AUTO_TEST_CASE(parameters_of_agents_are_read_as_jade_writes_them_and_as_fipa_does) {
  const auto user = [](const std::string& slot) {
    return read_fields("03 02 61 00" + slot + "01").from.user;
  };
  BOOST_TEST((user("04 6b 00 76 00") == Parameters{{"k", "v"}}));
  BOOST_TEST((user("05 6b 00 14 76 00") == Parameters{{"k", "v"}}));
  BOOST_TEST((user("05 6b 00 16 02 76 00") == Parameters{{"k", "v\0"s}}));
  BOOST_TEST((user("05 6b 00 17 00 01 76") == Parameters{{"k", "v"}}));
  BOOST_TEST((user("05 6b 00 19 00 00 00 01 76") == Parameters{{"k", "v"}}));
}

BOOST_AUTO_TEST_CASE(stamps_are_in_envelopes_of_their_own_the_newest_first) {
  Envelope envelope = with_fields({});
  envelope.received = {
      {.by = "c", .date = day}, {.by = "b", .date = day}, {.by = "a", .date = day}};
  const std::string bits = write_envelope_bits(envelope);
  const std::string external = "20 31 11 16 19 15 37 62 59 20 01 01 ";
  BOOST_TEST(to_hex(bits).starts_with("fd 00 11 63 00 " + external + "fd 00 11 62 00 " + external +
                                      "fe 00 1d 11"));
  const EnvelopeBits read = read_envelope_bits(bits + "\xfe");
  BOOST_TEST((read.envelope == envelope));
  BOOST_TEST(read.bytes == bits.size());
}

BOOST_AUTO_TEST_CASE(of_several_envelopes_the_first_value_of_a_field_counts) {
  const std::string stamp = "78 00 20 31 11 16 19 15 37 62 59 20 01";
  const Envelope envelope =
      read_envelope_bits(from_hex("fd 00 1a" + stamp + "05 6e 00 02 02 61 00 01 01 01") +
                         base_hex("05 6f 00 02 02 62 00 01 01 07 79 00"))
          .envelope;
  BOOST_TEST((envelope == with_fields({.to = {{.name = "a"}},
                                       .comments = "n",
                                       .payload_encoding = "y",
                                       .received = {{.by = "x", .date = day}}})));
}

BOOST_AUTO_TEST_CASE(a_long_envelope_has_a_length_of_four_bytes) {
  for (const std::size_t size : {65'517u, 65'518u, 65'519u, 100'000u}) {
    const Envelope envelope = with_fields({.comments = std::string(size, 'c')});
    const std::string bits = write_envelope_bits(envelope);
    const std::size_t short_bytes = size + 17;
    BOOST_TEST(bits.size() == (short_bytes < 65'536 ? short_bytes : short_bytes + 4));
    BOOST_TEST((bits[1] == 0 && bits[2] == 0) == (short_bytes >= 65'536));
    BOOST_TEST((read_envelope_bits(bits).envelope == envelope));
  }
}

BOOST_AUTO_TEST_CASE(every_envelope_comes_back_as_bits) {
  const bool holds = rc::check([] {
    Texts texts = texts_without_zero();
    std::erase(texts.in_names, "\x01");  // no address begins so
    const Envelope envelope = draw_envelope(texts);
    RC_ASSERT(read_envelope_bits(write_envelope_bits(envelope)).envelope == envelope);
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(bad_bits_of_an_envelope_are_refused_with_the_place_and_the_reason) {
  const std::pair<std::string, std::string> table[] = {
      {from_hex(""), "at byte 0, the input is cut off"},
      {from_hex("fc 00 04 01"), "at byte 0, 0xfc is no beginning of an envelope"},
      {from_hex("fe 00 10 11"),
       "at byte 3, the envelope announces 16 bytes, but the input has fewer"},
      {from_hex("fe 00 00 ff ff ff ff"), "the envelope announces 4294967295 bytes"},
      {from_hex("fe 00 03"), "at byte 3, the input is cut off"},
      {from_hex("fe 00 02 11"), "at byte 3, the envelope announces 2 bytes, which is less than"},
      {from_hex("fe 00 00 00 00 00 06"), "at byte 7, the envelope announces 6 bytes, which is"},
      {from_hex("fe 00 04 13"), "at byte 3, 0x13 is no representation of a message"},
      {from_hex("fe 00 04 0f"), "at byte 3, 0x0f is no representation of a message"},
      {base_hex("01"), "at byte 15, the envelope announces more bytes than it has"},
      {base_hex("08"), "at byte 14, 0x08 is no field of an envelope"},
      {base_hex("0c"), "0x0c is no field of an envelope"},
      {base_hex("05 63"), "a text has no zero byte at its end"},
      {base_hex("06 ab 00"), "0xab is no pair of digits"},
      {base_hex("06 e2 00"), "\"-1\" is no length of a message"},
      {base_hex("06 00"), "\"\" is no length of a message"},
      {base_hex("06 ee 00"), "\"--\" is no length of a message"},
      {base_hex("06 29 55 78 55 18 84 81 a6 62 72 00"), "is no length of a message"},
      {base_hex("02 03"), "0x03 is no beginning of an agent"},
      {base_hex("03 01"), "0x01 is no beginning of an agent"},
      {base_hex("03 02 00 01"), "an agent has no name"},
      {base_hex("03 02 61 00 06 01"), "0x06 is no part of an agent"},
      {base_hex("03 02 61 00 05 6b 00 10 01"), "0x10 is no code of bytes"},
      {base_hex("0a 78 00 20 31 11 16 19 15 37 62 59 20 05"), "0x05 is no part of a stamp"},
      {base_hex("0b 18 00"), "0x18 is no code of bytes"},
  };
  for (const auto& [bits, reason] : table) {
    const std::string sentence = refusal([&] { read_envelope_bits(bits); });
    BOOST_TEST(sentence.starts_with("cannot read the bit-efficient form of an envelope: at byte "));
    BOOST_TEST(sentence.find(reason) != std::string::npos,
               to_hex(bits) << ": " << sentence << " instead of " << reason);
  }
}

BOOST_AUTO_TEST_CASE(bits_of_an_envelope_that_are_cut_off_anywhere_are_refused) {
  const auto read = [](std::string_view part) { read_envelope_bits(part); };
  check_cut_off(jade_envelope_bits, read);
  Envelope envelope = bits_envelope_of_jade();
  envelope.received = {{.by = "a", .date = day, .user = {{"k", "v"}}}, {.by = "b", .date = day}};
  check_cut_off(write_envelope_bits(envelope), read);
}

BOOST_AUTO_TEST_CASE(bits_of_an_envelope_have_limits) {
  const std::string bits = jade_envelope_bits + std::string(100, 'm');
  const auto beyond = [&](const Limits& limits) {
    return refusal(Errc::too_large, [&] { read_envelope_bits(bits, limits); });
  };
  BOOST_TEST(beyond({.bytes = 111, .items = 5}) == "");
  BOOST_TEST(beyond({.items = 4}).find("more than 4 elements in its lists") != std::string::npos);
  BOOST_TEST(beyond({.bytes = 110}).find("more than 110 bytes") != std::string::npos);
  std::string deep = "03";
  for (std::size_t depth = 0; depth <= max_resolver_depth; ++depth) deep += "02 61 00 03";
  BOOST_TEST(refusal(Errc::too_large, [&] { read_fields(deep); }).find("8 levels of resolvers") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(envelopes_for_which_the_bits_have_no_room_are_not_written) {
  const auto reason = [](const Envelope& envelope) {
    const std::string sentence = refusal([&] { write_envelope_bits(envelope); });
    BOOST_TEST(sentence.starts_with("cannot write the bit-efficient form of an envelope: "));
    return sentence.substr(sentence.find(": ") + 2);
  };
  BOOST_TEST(reason({}) == "the envelope has no date, which this form needs; give it one");
  BOOST_TEST(reason(with_fields({.received = {{.by = "a"}}})) ==
             "a stamp has no date, which this form needs; give it one");
  BOOST_TEST(reason(with_fields({.received = {{.by = "a"}, {.by = "b", .date = day}}})) ==
             "a stamp has no date, which this form needs; give it one");
  BOOST_TEST(reason({.date = DateTime{.year = 10000}}).starts_with("a field of a date"));
  BOOST_TEST(reason(with_fields({.to = {{}}})).starts_with("an agent has no name"));
  BOOST_TEST(
      reason(with_fields({.from = {.addresses = {"x"}}})).starts_with("an agent has no name"));
  BOOST_TEST(reason(with_fields({.from = {.name = "a", .addresses = {"\x01"}}}))
                 .starts_with("the address \"\\x01\" begins like the end of a list"));
  BOOST_TEST(reason(with_fields({.comments = "a\0"s})) ==
             "the text \"a\\x00\" has a zero byte, for which there is no room; leave it out");
  BOOST_TEST(reason(with_fields({.user = {{"k", "v", "serialized"}}})) ==
             "the property \"k\" is no string; there is room for strings only");
  BOOST_TEST(reason(with_fields({.user = {{"a b", "v"}}})) ==
             "the name of the property \"a b\" has a blank; leave it out");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
