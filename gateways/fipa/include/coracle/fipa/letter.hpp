// A message between platforms: an envelope with the message in one of its forms.
// Tests: gateways/fipa/tests/letter_test.cpp.
#pragma once

#include "coracle/acl/envelope.hpp"
#include "coracle/acl/limits.hpp"
#include "coracle/acl/representation.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coracle {
class Random;
namespace acl {
class EnvelopeXmlReader;
}  // namespace acl
}  // namespace coracle

namespace coracle::fipa {

// An envelope, and the bytes of the message.
struct Letter {
  acl::Envelope envelope;
  std::string payload;
  // The host that has sent it, as its transport knows it; empty: unknown, or not sent yet.
  std::string host = {};
};

// The letter of a message for these receivers, as JADE expects it. Text that is not ASCII names its
// character set, UTF-8. Fails with Errc::bad_encoding if the message cannot be written in that
// form.
Letter letter_of(const acl::Message& message, std::vector<acl::AgentId> receivers,
                 acl::Representation form, acl::CalendarTime now);
// The message of a letter. A sender without addresses gets those of the envelope. Fails with
// Errc::bad_encoding or Errc::too_large: the form is unknown, or the message is not readable.
acl::Message message_of(const Letter& letter, const acl::Limits& limits = {});

// A letter as the body of a POST (FIPA00084), with its Content-Type.
struct HttpBody {
  std::string content_type;
  std::string body;
};
HttpBody http_body_of(const Letter& letter, Random& random);
// Reads it. Fails with Errc::wrong_type, Errc::bad_encoding and Errc::too_large.
Letter letter_in(std::string_view content_type, std::string_view body,
                 const acl::Limits& limits = {});
// The same with a reader that remembers envelopes.
Letter letter_in(std::string_view content_type, std::string_view body,
                 acl::EnvelopeXmlReader& reader);

}  // namespace coracle::fipa
