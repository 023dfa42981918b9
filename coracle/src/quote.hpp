// Text that may come from anybody, shown to people: on terminals, in logs, in sentences. Everything
// that is shown goes through shown(): Error and the log do that for whatever is in a line.
// Tests: coracle/tests/quote_test.cpp
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

// Whether the character says how its neighbours look, and is not seen itself: what joins or parts
// letters, and the selectors of variants. Some scripts need these within a text.
constexpr bool is_shaping(std::uint32_t code) noexcept {
  return code == 0x34f || (code >= 0x180b && code <= 0x180f) || code == 0x200c || code == 0x200d ||
         (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
}

// Whether the character may deceive whoever looks at a text: controls, ends of lines, what turns
// the direction, what has no width or is an empty letter, and tags.
constexpr bool is_deceiving(std::uint32_t code) noexcept {
  if (code < 0xad) return is_control(code);
  const auto within = [code](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  return code == 0xad || code == 0x61c || within(0x115f, 0x1160) || code == 0x200b ||
         within(0x200e, 0x200f) || within(0x2028, 0x202e) || within(0x2060, 0x206f) ||
         code == 0x3164 || code == 0xfeff || code == 0xffa0 || within(0xfff0, 0xfffb) ||
         within(0x1bca0, 0x1bca3) || within(0x1d173, 0x1d17a) || within(0xe0000, 0xe00ff) ||
         within(0xe01f0, 0xe0fff);
}

// Whether all of it is UTF-8, and people see what it is: what a name may be made of.
bool is_plain(std::string_view text) noexcept;

// `text`, with what may deceive and bytes that are not UTF-8 escaped, as in \x1b. A backslash stays
// as it is, so that nothing is escaped twice.
std::string shown(std::string_view text);
// The same within JSON, which stays what it was for whoever reads it as such; bytes that are not
// UTF-8 become U+FFFD.
std::string shown_json(std::string_view json);

// `text` in double quotes, cut after about `longest` bytes; what is not plain and quotes are
// escaped.
std::string quoted(std::string_view text, std::size_t longest = 60);

}  // namespace coracle::detail
