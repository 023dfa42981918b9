// Text from any source that is shown to people: on terminals, in logs, in sentences. All such text
// goes through shown(): Error and the log call it for every line.
// Tests: coracle/tests/content/quote_test.cpp
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

// The character that begins at `text[at]`. Overlong forms, surrogates, and numbers beyond U+10FFFF
// are not UTF-8.
Utf8Character utf8_at(std::string_view text, std::size_t at) noexcept;

// Returns whether the character is a control that people cannot see: C0, DEL, C1.
constexpr bool is_control(std::uint32_t code) noexcept {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

// Returns whether the character is not visible itself and only changes its neighbours: characters
// that join or separate letters, and variation selectors. Some scripts need these within a text.
constexpr bool is_shaping(std::uint32_t code) noexcept {
  return code == 0x34f || (code >= 0x180b && code <= 0x180f) || code == 0x200c || code == 0x200d ||
         (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
}

// Returns whether the character may deceive a reader: controls, ends of lines, changes of the
// direction, characters without width, empty letters, and tags.
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

// Returns whether all of `text` is UTF-8 without invisible or deceiving characters. A name consists
// of such text.
bool is_plain(std::string_view text) noexcept;

// Returns `text` with deceiving characters and bytes that are not UTF-8 escaped, as in \x1b. A
// backslash stays as it is, so that nothing is escaped twice.
std::string shown(std::string_view text);
// The same within JSON, whose meaning for a parser does not change; bytes that are not UTF-8 become
// U+FFFD.
std::string shown_json(std::string_view json);

// Returns `text` in double quotes, cut after about `longest` bytes; quotes and characters that are
// not plain are escaped.
std::string quoted(std::string_view text, std::size_t longest = 60);

}  // namespace coracle::detail
