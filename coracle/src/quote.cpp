#include "coracle/support/quote.hpp"

#include <algorithm>

namespace coracle::detail {

Utf8Character utf8_at(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t first = byte(at);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || bytes > text.size() - at) return {};
  std::uint32_t code = first & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const std::uint32_t next = byte(at + i);
    if ((next & 0xc0) != 0x80) return {};
    code = code << 6 | (next & 0x3f);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (overlong || surrogate || code > 0x10ffff) return {};
  return {code, bytes};
}

namespace {

constexpr char digits[] = "0123456789abcdef";

bool is_plain_ascii(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// The number of bytes that are shown as one unit: a character, or a byte that belongs to none.
std::size_t bytes_of(const Utf8Character& character) noexcept {
  return character.bytes == 0 ? 1 : character.bytes;
}

void escape_bytes(std::string_view bytes, std::string& to) {
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    to += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  }
}

void escape_unit(std::uint32_t unit, std::string& to) {
  to += {'\\',
         'u',
         digits[unit >> 12],
         digits[unit >> 8 & 15],
         digits[unit >> 4 & 15],
         digits[unit & 15]};
}

// As in JSON: a character beyond U+FFFF is written in two halves.
void escape_json(std::uint32_t code, std::string& to) {
  if (code < 0x10000) return escape_unit(code, to);
  escape_unit(0xd800 + ((code - 0x10000) >> 10), to);
  escape_unit(0xdc00 + ((code - 0x10000) & 0x3ff), to);
}

// Copies `text`; `escape` writes the characters that may deceive and the bytes that are not UTF-8.
template <class Escape>
std::string copied(std::string_view text, Escape escape) {
  if (is_plain_ascii(text)) return std::string(text);
  std::string copy;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_at(text, at);
    const std::string_view bytes = text.substr(at, bytes_of(character));
    if (character.bytes == 0 || is_deceiving(character.code)) escape(character, bytes, copy);
    else copy += bytes;
    at += bytes.size();
  }
  return copy;
}

}  // namespace

bool is_plain(std::string_view text) noexcept {
  if (is_plain_ascii(text)) return true;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_at(text, at);
    if (character.bytes == 0 || is_deceiving(character.code) || is_shaping(character.code))
      return false;
    at += character.bytes;
  }
  return true;
}

std::string shown(std::string_view text) {
  return copied(text, [](const Utf8Character& character, std::string_view bytes, std::string& to) {
    if (character.code == '\n' && character.bytes != 0) to += "\\n";
    else escape_bytes(bytes, to);
  });
}

std::string shown_json(std::string_view json) {
  return copied(json, [](const Utf8Character& character, std::string_view, std::string& to) {
    escape_json(character.bytes == 0 ? 0xfffd : character.code, to);
  });
}

std::string quoted(std::string_view text, std::size_t longest) {
  std::string shown = "\"";
  std::size_t at = 0;
  while (at < text.size() && shown.size() <= longest) {
    const Utf8Character character = utf8_at(text, at);
    const std::size_t bytes = bytes_of(character);
    if (character.bytes == 0 || is_deceiving(character.code) || is_shaping(character.code)) {
      escape_bytes(text.substr(at, bytes), shown);
    } else {
      if (character.code == '"' || character.code == '\\') shown += '\\';
      shown += text.substr(at, bytes);
    }
    at += bytes;
  }
  if (at < text.size()) shown += "…";
  return shown += '"';
}

}  // namespace coracle::detail
