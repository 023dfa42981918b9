// Content of any type as one line for people.
// Tests: coracle/tests/content/content_text_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace coracle::detail {

// One value of CBOR in the diagnostic notation of RFC 8949; nothing if `bytes` is not a value, or
// if bytes follow the value. Characters that may deceive are escaped.
std::optional<std::string> cbor_text(std::span<const std::byte> bytes);

// Returns whether content of that type is text, to be shown as it is.
bool is_text(std::string_view type) noexcept;

// Bytes as hexadecimal digits.
std::string hex_text(std::span<const std::byte> bytes);

// A content for programs: its text, if it is text; or the meaning of its bytes as cbor_text() gives
// it; or the bytes as hexadecimal digits.
struct DecodedContent {
  enum class Form : std::uint8_t { text, meaning, bytes } form = Form::text;
  std::string value;
};

// Decodes a content. A text is UTF-8, and its characters are as they were sent.
DecodedContent decoded_content(std::string_view type, std::span<const std::byte> bytes);

// The text of a content. For a type that is no text: the type in parentheses, and the meaning of
// the bytes or the bytes themselves: "(plan/v1) [\"north\", 3]". Characters that may deceive are
// escaped.
std::string content_text(std::string_view type, std::span<const std::byte> bytes);

}  // namespace coracle::detail
