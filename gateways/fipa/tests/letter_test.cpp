// Letters between platforms, as the body of a POST.
#include "coracle/fipa/letter.hpp"

#include "coracle/clock.hpp"
#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::fipa {

namespace {

using acl::Representation;

const acl::CalendarTime now = acl::CalendarTime(std::chrono::milliseconds(1'700'000'000'123));

acl::Message message(std::string content) {
  acl::Message made;
  made.performative = acl::Performative::inform;
  made.sender = {.name = "ann@ours", .addresses = {"http://127.0.0.1:1/acc"}};
  made.receivers = {{.name = "zed@p2", .addresses = {"http://127.0.0.1:2/acc"}}};
  made.content = std::move(content);
  return made;
}

Letter sent(const Letter& letter) {
  const HttpBody body = http_body_of(letter, machine_random());
  return letter_in(body.content_type, body.body);
}

Errc error_of(const std::string& type, const std::string& body) {
  try {
    letter_in(type, body);
  } catch (const Error& error) {
    return error.errc();
  }
  return Errc();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(letter)

BOOST_AUTO_TEST_CASE(a_message_travels_in_each_form) {
  for (const Representation form :
       {Representation::string, Representation::bit_efficient, Representation::xml}) {
    for (const char* const content : {"hello", "", "two\r\nlines", "gr\xc3\xbc\xc3\x9f"}) {
      const acl::Message said = message(content);
      const Letter letter = sent(letter_of(said, said.receivers, form, now));
      BOOST_TEST((message_of(letter) == said));
      BOOST_TEST((letter.envelope.intended_receivers == said.receivers));
      BOOST_TEST((letter.envelope.from == said.sender));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_body_is_what_jade_sends) {
  const acl::Message said = message("hello");
  const HttpBody body =
      http_body_of(letter_of(said, said.receivers, Representation::string, now), machine_random());
  BOOST_TEST(body.content_type.starts_with("multipart/mixed ; boundary=\""));
  BOOST_TEST(
      body.body.starts_with("This is not part of the MIME multipart encoded message.\r\n--"));
  BOOST_TEST(body.body.find("\r\nContent-Type: application/xml\r\n\r\n<?xml version=\"1.0\"?>\n") !=
             std::string::npos);
  BOOST_TEST(body.body.find("\r\nContent-Type: application/text\r\n\r\n(INFORM\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(other_characters_than_ascii_name_their_set) {
  const acl::Message said = message("gr\xc3\xbc\xc3\x9f");
  const Letter letter = letter_of(said, said.receivers, Representation::string, now);
  BOOST_TEST(letter.envelope.payload_encoding == "UTF-8");
  const HttpBody body = http_body_of(letter, machine_random());
  BOOST_TEST(body.body.find("Content-Type: fipa.acl.rep.string.std; charset=UTF-8") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_sender_without_addresses_has_those_of_the_envelope) {
  acl::Message said = message("x");
  Letter letter = letter_of(said, said.receivers, Representation::string, now);
  said.sender.addresses.clear();
  letter.payload = acl::write_message(Representation::string, said);
  BOOST_TEST(message_of(letter).sender.addresses.size() == 1U);
  letter.envelope.from.name = "eve@p3";  // of another agent, they mean nothing
  BOOST_TEST(message_of(letter).sender.addresses.empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_letter_is_refused) {
  BOOST_TEST((error_of("text/plain", "x") == Errc::wrong_type));
  BOOST_TEST((error_of("multipart/mixed", "x") == Errc::bad_encoding));
  const std::string type = "multipart/mixed ; boundary=\"b\"";
  BOOST_TEST((error_of(type, "--b\r\n\r\nx\r\n--b--\r\n") == Errc::bad_encoding));
  BOOST_TEST(
      (error_of(type, "--b\r\n\r\n<x/>\r\n--b\r\n\r\n()\r\n--b--\r\n") == Errc::bad_encoding));
  Letter unknown;
  unknown.envelope.representation = "x";
  BOOST_CHECK_THROW(message_of(unknown), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
