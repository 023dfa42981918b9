#include "coracle/fipa/letter.hpp"

#include "coracle/acl/envelope_codec.hpp"
#include "coracle/clock.hpp"
#include "coracle/errors.hpp"
#include "coracle/http/multipart.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace coracle::fipa {

namespace {

constexpr std::string_view preamble = "This is not part of the MIME multipart encoded message.";

bool is_ascii(std::string_view text) noexcept {
  return std::none_of(text.begin(), text.end(),
                      [](char each) { return static_cast<unsigned char>(each) >= 0x80; });
}

}  // namespace

Letter letter_of(const acl::Message& message, std::vector<acl::AgentId> receivers,
                 acl::Representation form, acl::CalendarTime now) {
  Letter letter;
  letter.payload = acl::write_message(form, message);
  acl::Envelope& envelope = letter.envelope;
  envelope.from = message.sender;
  envelope.representation = acl::to_text(form);
  envelope.payload_length = letter.payload.size();
  if (form != acl::Representation::bit_efficient && !is_ascii(letter.payload))
    envelope.payload_encoding = "UTF-8";
  envelope.date = acl::date_time_of(now);
  envelope.to = receivers;
  envelope.intended_receivers = std::move(receivers);
  return letter;
}

acl::Message message_of(const Letter& letter, const acl::Limits& limits) {
  const auto form = acl::representation_of(letter.envelope.representation);
  if (!form)
    throw Error(Errc::bad_encoding, "the envelope names an unknown form of the message, " +
                                        coracle::detail::quoted(letter.envelope.representation));
  acl::Message message = acl::read_message(*form, letter.payload, limits);
  if (message.sender.addresses.empty() && is_same_agent(message.sender, letter.envelope.from))
    message.sender.addresses = letter.envelope.from.addresses;
  if (message.sender.name.empty()) message.sender = letter.envelope.from;
  return message;
}

HttpBody http_body_of(const Letter& letter, Random& random) {
  const acl::Envelope& envelope = letter.envelope;
  std::array<http::Part, 2> parts;
  parts[0].headers.add("Content-Type", "application/xml");
  parts[0].body = acl::write_envelope_xml(envelope);
  parts[1].headers.add("Content-Type",
                       envelope.payload_encoding.empty()
                           ? "application/text"
                           : envelope.representation + "; charset=" + envelope.payload_encoding);
  parts[1].body = letter.payload;
  const std::string boundary = http::make_boundary(random);
  return {http::content_type_with(boundary), http::write_multipart(parts, boundary, preamble)};
}

Letter letter_in(std::string_view content_type, std::string_view body,
                 acl::EnvelopeXmlReader& reader) {
  const std::string boundary = http::boundary_in(content_type).value();
  std::vector<http::Part> parts = http::read_multipart(body, boundary).value();
  if (parts.size() != 2)
    throw Error(Errc::bad_encoding,
                "a message of FIPA has two parts, an envelope and a message; "
                "this one has " +
                    std::to_string(parts.size()));
  return {reader.read(parts[0].body), std::move(parts[1].body), {}};
}

Letter letter_in(std::string_view content_type, std::string_view body, const acl::Limits& limits) {
  acl::EnvelopeXmlReader reader(limits, 0);
  return letter_in(content_type, body, reader);
}

}  // namespace coracle::fipa
