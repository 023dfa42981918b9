#include "coracle/acl/base64.hpp"

#include "ascii.hpp"

#include <array>
#include <cstdint>

namespace coracle::acl {

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t no_letter = 0xff;

constexpr auto letter_values = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(no_letter);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return table;
}();

}  // namespace

void append_base64(std::string& out, std::span<const std::byte> bytes) {
  const std::size_t begin = out.size();
  out.resize(begin + (bytes.size() + 2) / 3 * 4, '=');
  char* to = out.data() + begin;
  std::uint32_t bits = 0;
  unsigned held = 0;  // bits that are not written yet
  for (const std::byte byte : bytes) {
    bits = bits << 8 | std::to_integer<std::uint32_t>(byte);
    for (held += 8; held >= 6; held -= 6) *to++ = alphabet[bits >> (held - 6) & 63];
  }
  if (held > 0) *to = alphabet[bits << (6 - held) & 63];
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  unsigned held = 0;
  std::size_t letters = 0, padding = 0;
  for (const char letter : text) {
    if (is_blank(letter)) continue;
    if (letter == '=') {
      ++padding;
      continue;
    }
    const std::uint8_t value = letter_values[static_cast<unsigned char>(letter)];
    if (value == no_letter || padding > 0) return std::nullopt;
    ++letters;
    bits = bits << 6 | value;
    held += 6;
    if (held >= 8) bytes.push_back(static_cast<std::byte>(bits >> (held -= 8)));
  }
  if (padding > 2 || (letters + padding) % 4 != 0) return std::nullopt;
  return bytes;
}

}  // namespace coracle::acl
