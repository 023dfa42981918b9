// The XML form of messages, fipa.acl.rep.xml.std (FIPA00071). It has room for UTF-8 without control
// characters, and for any bytes. Tests: acl/tests/codecs/xml_codec_test.cpp.
#pragma once

#include "coracle/acl/limits.hpp"
#include "coracle/acl/message.hpp"

#include <string>
#include <string_view>

namespace coracle::acl {

// The XML form. Bytes are written in Base64, marked as in the string form; user parameters as
// elements whose names begin with X-. JADE adds blanks beside a `<` or `&` that is escaped, so a
// text with these is in a CDATA section; JADE does not restore bytes.
//
// Fails with Errc::bad_encoding for the messages for which write_string() fails, apart from the
// names of user parameters, and for texts that XML cannot have.
std::string write_xml(const Message& message);
// Appends that form to `out`. If it fails, `out` is as it was.
void write_xml_into(std::string& out, const Message& message);

// Reads that form; names of elements in any case of their letters. If all quotes of a text are
// behind a backslash, JADE has escaped them, and the backslashes are dropped. A document type is
// refused, and with it all entities but the five of XML, and so is a parameter that is given by a
// link. Fails with Errc::bad_encoding, whose text gives the byte and the reason, and with
// Errc::too_large.
Message read_xml(std::string_view text, const Limits& limits = {});

}  // namespace coracle::acl
