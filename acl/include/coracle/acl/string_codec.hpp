// The string form of messages, fipa.acl.rep.string.std (FIPA00070):
//
//   (REQUEST
//    :sender  ( agent-identifier :name ann@lab )
//    :content  "((action …))"
//    :language  fipa-sl0 )
//
// It has room for any text and any bytes. Bytes travel as JADE sends them, in Base64 with the user
// parameter JADE-Encoding. Tests: acl/tests/codecs/string_codec_test.cpp.
#pragma once

#include "coracle/acl/limits.hpp"
#include "coracle/acl/message.hpp"

#include <string>
#include <string_view>

namespace coracle::acl {

// The string form in the layout of JADE. Texts are quoted unless every platform reads them as a
// word; in quotes, only `"` is escaped. A text that ends in a backslash is written with its length
// (`#4"abc\`), because JADE would not find its end in quotes.
//
// Fails with Errc::bad_encoding for an agent without a name, resolvers beyond max_resolver_depth, a
// date that is not writable, a name of a user parameter that is not one word of ASCII, and the user
// parameter JADE-Encoding with the value Base64. JADE does not read a protocol or an address
// with blanks or beyond ASCII.
std::string write_string(const Message& message);
// Appends that form to `out`. If it fails, `out` is as it was.
void write_string_into(std::string& out, const Message& message);

// Reads that form, in any layout and with the parameters in any order; the last one of a name
// counts, except that all user parameters stay. An expression in brackets stays the text that it
// is. Fails with Errc::bad_encoding, whose text gives the byte and the reason, and with
// Errc::too_large.
Message read_string(std::string_view text, const Limits& limits = {});

}  // namespace coracle::acl
