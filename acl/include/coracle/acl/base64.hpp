// Base64 (RFC 4648), in which bytes travel in forms that are text.
// Tests: acl/tests/codecs/string_codec_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::acl {

// Appends the bytes in Base64, with padding and without line ends.
void append_base64(std::string& out, std::span<const std::byte> bytes);
// Reads Base64 with padding; blanks and line ends are passed over. Empty if it is something else.
std::optional<std::vector<std::byte>> from_base64(std::string_view text);

}  // namespace coracle::acl
