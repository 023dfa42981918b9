#include "quote.hpp"

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

std::string quoted(std::string_view text, std::size_t longest) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string shown = "\"";
  std::size_t at = 0;
  while (at < text.size() && shown.size() <= longest) {
    const Utf8Character character = utf8_at(text, at);
    const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
    if (character.bytes == 0 || is_control(character.code)) {
      for (std::size_t i = 0; i < bytes; ++i) {
        const auto byte = static_cast<unsigned char>(text[at + i]);
        shown += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      }
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
