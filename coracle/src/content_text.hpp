// Content of any type as one line for people.
// Tests: coracle/tests/content_text_test.cpp
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace coracle::detail {

// The meaning of one value of CBOR, in the diagnostic notation of RFC 8949; nothing if it is none,
// or if bytes follow it. Characters that may deceive are escaped.
std::optional<std::string> cbor_text(std::span<const std::byte> bytes);

// Whether content of that type is text, to be shown as it is.
bool is_text(std::string_view type) noexcept;

// Bytes as hexadecimal digits.
std::string hex_text(std::span<const std::byte> bytes);

// The text itself; of another type the type in brackets and what the bytes mean, or which they are:
// "(plan/v1) [\"north\", 3]". What may deceive is escaped.
std::string content_text(std::string_view type, std::span<const std::byte> bytes);

}  // namespace coracle::detail
