// The forms of envelopes: fipa.mts.env.rep.xml.std (FIPA00085) and
// fipa.mts.env.rep.bitefficient.std (FIPA00088). Tests: acl/tests/codecs/envelope_xml_test.cpp,
// acl/tests/codecs/envelope_bits_test.cpp.
#pragma once

#include "coracle/acl/envelope.hpp"
#include "coracle/acl/limits.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace coracle::acl {

// The XML form in the order of JADE, in ASCII. Resolvers and user parameters of agents are left
// out, because JADE takes resolvers for the agent itself. Each stamp but the oldest has an element
// `params` of its own, as a platform adds it.
//
// Fails with Errc::bad_encoding for an agent without a name, a date that is not writable, texts
// that are not UTF-8, or have control characters, and a transport behaviour of bytes.
std::string write_envelope_xml(const Envelope& envelope);
// Reads that form; names of elements in any case of their letters. Of several elements `params`,
// later ones replace the fields of earlier ones, except that all stamps and properties stay. Dates
// may have any letter in the middle, as JADE writes them. An envelope that is not in UTF-8, and
// names no other encoding, is read as Latin-1, in which JADE writes. A document type is refused.
// Fails with Errc::bad_encoding, whose text gives the byte and the reason, and with
// Errc::too_large.
Envelope read_envelope_xml(std::string_view text, const Limits& limits = {});

// Reads many envelopes in that form. Those between the same agents differ only in their date and in
// the length of the message: of these the first one is read, and the others are compared with it.
class EnvelopeXmlReader {
 public:
  // Remembers the last `most` different envelopes, of at most 16 KiB each.
  explicit EnvelopeXmlReader(const Limits& limits = {}, std::size_t most = 1000);
  ~EnvelopeXmlReader();
  EnvelopeXmlReader(const EnvelopeXmlReader&) = delete;
  EnvelopeXmlReader& operator=(const EnvelopeXmlReader&) = delete;

  // As read_envelope_xml() does.
  Envelope read(std::string_view text);

 private:
  struct Memory;

  const Limits limits_;
  const std::size_t most_;
  const std::unique_ptr<Memory> memory_;
};

// The bit-efficient form, behind which the message follows. The user parameters of agents are
// written as JADE does. Each stamp but the oldest has an external envelope in front, as a platform
// adds it.
//
// Fails with Errc::bad_encoding for an envelope or a stamp without a date, an agent without a name,
// resolvers beyond max_resolver_depth, a date that is not writable, a property that is no string or
// has a blank in its name, and a zero byte where there is no room for one.
std::string write_envelope_bits(const Envelope& envelope);

// An envelope, and the number of bytes before the message.
struct EnvelopeBits {
  Envelope envelope;
  std::size_t bytes = 0;
};

// Reads that form at the beginning of `bytes`. External envelopes, the newest first, come before
// the base envelope, and the first value of a field counts. Fails with Errc::bad_encoding, whose
// text gives the byte and the reason, and with Errc::too_large.
EnvelopeBits read_envelope_bits(std::string_view bytes, const Limits& limits = {});

}  // namespace coracle::acl
