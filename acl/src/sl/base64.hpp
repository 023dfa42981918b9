// Base64 (RFC 4648, section 4) of the byte strings of SL.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::acl::sl {

// The text of the bytes, with padding.
std::string to_base64(std::span<const std::byte> bytes);
// The bytes of a text. Empty unless the text is exactly what to_base64() gives for some bytes.
std::optional<std::vector<std::byte>> from_base64(std::string_view text);

}  // namespace coracle::acl::sl
