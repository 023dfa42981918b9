// Letters as the argument of FIPA::MTS::message: what is written is read, by us and by the types
// that omniidl makes of the interface; what exceeds a limit is refused.
#include "letter_stream.hpp"

#include "coracle/errors.hpp"
#include "fipa.hpp"
#include "support/broker.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::fipa {

namespace {

using acl::AgentId;

struct Room : test::Broker {
  Budget budget{std::size_t{1} << 20};

  Letter read(cdrStream& in, const acl::Limits& limits = {}) {
    Share share(budget);
    return read_letter(in, limits, share);
  }
  Letter passed(const Letter& letter) {
    cdrMemoryStream stream;
    write_letter(stream, letter);
    return read(stream);
  }
  Errc refusal(cdrStream& in, const acl::Limits& limits = {}) {
    try {
      read(in, limits);
    } catch (const Error& error) {
      return error.errc();
    }
    BOOST_FAIL("the letter was read");
    return {};
  }
};

AgentId agent(const std::string& name) {
  AgentId id;
  id.name = name;
  id.addresses = {"IOR:00", "http://x/acc"};
  id.user = {{"k", "v"}, {"", "gr\xc3\xbc\xc3\x9f"}};
  return id;
}

Letter full() {
  Letter letter;
  acl::Envelope& envelope = letter.envelope;
  envelope.to = {agent("bob@p2"), agent("eve@p2")};
  envelope.from = agent("\xc3\xa4nn@p1");
  envelope.from.resolvers = {agent("r")};
  envelope.from.resolvers[0].resolvers = {agent("rr")};
  envelope.comments = "hi";
  envelope.representation = "fipa.acl.rep.string.std";
  envelope.payload_length = 3;
  envelope.payload_encoding = "UTF-8";
  envelope.date = acl::date_time_from("20231114T221320123Z");
  envelope.intended_receivers = {agent("bob@p2")};
  acl::Stamp first, second;
  first.by = "IOR:01";
  first.date = acl::date_time_from("20231114T221320124");
  first.via = "fipa.mts.mtp.iiop.std";
  second.by = "IOR:02";
  second.date = acl::date_time_from("20231114T221320125Z");
  second.id = "7";
  envelope.received = {second, first};
  envelope.user = {{"X-a", "b", "string"}, {"X-b", "AAH/Cg==", "byte-array"}};
  letter.payload = std::string("(in\0form)", 9);
  return letter;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(letter_stream, Room)

BOOST_AUTO_TEST_CASE(every_field_that_the_interface_has_comes_back) {
  const Letter letter = full();
  const Letter read = passed(letter);
  BOOST_TEST((read.envelope == letter.envelope));
  BOOST_TEST(read.payload == letter.payload);
  const Letter nothing = passed(Letter());
  BOOST_TEST((nothing.envelope == acl::Envelope()));
}

BOOST_AUTO_TEST_CASE(what_the_interface_cannot_carry_is_left_out) {
  Letter letter;
  letter.envelope.transport_behaviour = std::string("fast");
  letter.envelope.date = acl::date_time_from("+00000000T000005000");
  acl::Stamp stamp;
  stamp.user = {{"k", "v"}};
  letter.envelope.received = {stamp};
  letter.envelope.user = {{"k", "rO0AB", "serialized"}};
  const acl::Envelope read = passed(letter).envelope;
  BOOST_TEST((read.transport_behaviour == acl::Body()));
  BOOST_TEST(!read.date.has_value());
  BOOST_TEST(!read.received.at(0).date.has_value());
  BOOST_TEST(read.received.at(0).user.empty());
  BOOST_TEST(read.user.at(0).type == "string");
}

BOOST_AUTO_TEST_CASE(the_types_of_the_interface_write_and_read_the_same_bytes) {
  const Letter letter = full();
  cdrMemoryStream ours(0, true);  // with zeros between fields
  write_letter(ours, letter);
  const std::string bytes = test::bytes_of(ours);
  FIPA::FipaMessage message;
  message <<= ours;
  BOOST_TEST(message.messageEnvelopes.length() == 2);
  BOOST_TEST(std::string(message.messageEnvelopes[0].to[1].name) == "eve@p2");
  BOOST_TEST(message.messageEnvelopes[0].payloadLength == 3);
  BOOST_TEST(std::string(message.messageEnvelopes[1].received[0].id) == "7");
  BOOST_TEST(message.messageBody.length() == 9);
  const char* value = nullptr;
  const bool is_text = message.messageEnvelopes[0].userDefinedProperties[0].value >>= value;
  BOOST_TEST_REQUIRE(is_text);
  BOOST_TEST(std::string(value) == "b");
  cdrMemoryStream theirs(0, true);
  message >>= theirs;
  BOOST_TEST((test::bytes_of(theirs) == bytes));
}

BOOST_AUTO_TEST_CASE(fields_of_later_envelopes_count) {
  FIPA::FipaMessage message;
  message.messageEnvelopes.length(2);
  for (CORBA::ULong i = 0; i < 2; ++i) {
    message.messageEnvelopes[i].comments = i == 0 ? "old" : "new";
    message.messageEnvelopes[i].aclRepresentation = i == 0 ? "form" : "";
    message.messageEnvelopes[i].payloadLength = 0;
    message.messageEnvelopes[i].payloadEncoding = "";
  }
  cdrMemoryStream stream;
  message >>= stream;
  const acl::Envelope read = this->read(stream).envelope;
  BOOST_TEST(read.comments == "new");
  BOOST_TEST(read.representation == "form");
  BOOST_TEST(!read.payload_length.has_value());
}

BOOST_AUTO_TEST_CASE(a_date_that_does_not_exist_is_none) {
  FIPA::FipaMessage message;
  message.messageEnvelopes.length(1);
  FIPA::Envelope& envelope = message.messageEnvelopes[0];
  envelope.comments = envelope.aclRepresentation = envelope.payloadEncoding = "";
  envelope.payloadLength = -1;
  envelope.date.length(1);
  envelope.date[0] = {2023, 13, 1, 0, 0, 0, 0, 'Z'};
  cdrMemoryStream stream;
  message >>= stream;
  BOOST_TEST(!read(stream).envelope.date.has_value());
}

BOOST_AUTO_TEST_CASE(a_letter_beyond_a_limit_is_refused_before_it_takes_memory) {
  cdrMemoryStream list;
  list.marshalULong(0x7fffffff);  // envelopes
  BOOST_TEST((refusal(list) == Errc::too_large));
  cdrMemoryStream shorter;
  shorter.marshalULong(9'999);
  BOOST_TEST((refusal(shorter) == Errc::bad_encoding));
  Letter letter = full();
  cdrMemoryStream large;
  write_letter(large, letter);
  acl::Limits limits;
  limits.bytes = 8;
  BOOST_TEST((refusal(large, limits) == Errc::too_large));
  cdrMemoryStream many;
  write_letter(many, letter);
  limits = {};
  limits.items = 10;
  BOOST_TEST((refusal(many, limits) == Errc::too_large));
  letter.payload.assign(std::size_t{2} << 20, 'x');
  cdrMemoryStream beyond_budget;
  write_letter(beyond_budget, letter);
  BOOST_TEST((refusal(beyond_budget) == Errc::limit_reached));
  BOOST_TEST(budget.take(std::size_t{1} << 20));  // all of it was given back
}

BOOST_AUTO_TEST_CASE(resolvers_are_read_to_their_depth_only) {
  AgentId id;
  for (std::size_t depth = 0; depth < acl::max_resolver_depth; ++depth) {
    AgentId outer;
    outer.resolvers = {std::move(id)};
    id = std::move(outer);
  }
  Letter letter;
  letter.envelope.from = id;
  BOOST_TEST((passed(letter).envelope.from == id));
  AgentId outer;
  outer.resolvers = {id};
  letter.envelope.from = outer;
  cdrMemoryStream stream;
  write_letter(stream, letter);
  BOOST_TEST((refusal(stream) == Errc::too_large));
  BOOST_CHECK_THROW(check_letter(letter, {}), Error);
}

BOOST_AUTO_TEST_CASE(every_cut_of_a_letter_is_refused) {
  cdrMemoryStream stream;
  write_letter(stream, full());
  const std::string bytes = test::bytes_of(stream);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    test::Input cut(std::string_view(bytes).substr(0, size));
    bool is_read = false;
    try {
      read(cut);
      is_read = true;
    } catch (const Error&) {
    } catch (const CORBA::SystemException&) {
    }
    BOOST_TEST(!is_read);
  }
}

BOOST_AUTO_TEST_CASE(texts_with_zeros_and_long_texts_are_not_written) {
  Letter letter;
  letter.envelope.comments = std::string("a\0b", 3);
  BOOST_CHECK_THROW(check_letter(letter, {}), Error);
  letter.envelope.comments = std::string(max_envelope_text, 'x');
  BOOST_CHECK_THROW(check_letter(letter, {}), Error);
  BOOST_CHECK_NO_THROW(check_letter(full(), {}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
