// Bytes as text, in both alphabets of RFC 4648.
// Tests: gateways/web/tests/base64_test.cpp
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace coracle::web {

// Writes bytes with the letters + and /, and with = at the end.
std::string to_base64(std::string_view bytes);
// Writes bytes with the letters - and _, and without = at the end.
std::string to_base64url(std::string_view bytes);
// Reads either form, with or without = at the end. Returns nothing if the text is neither.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace coracle::web
