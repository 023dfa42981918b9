// Shows text that may hold anything inside a sentence for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace coracle::detail {

// One character of a UTF-8 text; `bytes` is zero when the bytes there are not UTF-8.
struct Utf8Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

// The character that begins at `text[at]`. Overlong forms, surrogates, and what is beyond U+10FFFF
// are not UTF-8.
Utf8Character utf8_at(std::string_view text, std::size_t at) noexcept;

// Whether people cannot see the character: C0, DEL, C1.
constexpr bool is_control(std::uint32_t code) noexcept {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

// `text` in double quotes, cut after about `longest` bytes; control characters, quotes and bytes
// that are not UTF-8 are escaped.
std::string quoted(std::string_view text, std::size_t longest = 60);

}  // namespace coracle::detail
