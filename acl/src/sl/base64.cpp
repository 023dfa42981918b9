#include "sl/base64.hpp"

#include <array>
#include <cstdint>

namespace coracle::acl::sl {

namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_letter = 64;

constexpr auto values = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(no_letter);
  for (std::uint8_t i = 0; i < 64; ++i) table[static_cast<std::uint8_t>(letters[i])] = i;
  return table;
}();

}  // namespace

std::string to_base64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < count ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += j <= count ? letters[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return text;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::string_view rest = text;
  while (!rest.empty()) {
    const bool is_last = rest.size() == 4;
    const std::size_t padding = !is_last ? 0 : rest.ends_with("==") ? 2 : rest.ends_with('=');
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 4 - padding; ++j) {
      const std::uint8_t value = values[static_cast<std::uint8_t>(rest[j])];
      if (value == no_letter) return std::nullopt;
      group |= std::uint32_t{value} << (18 - 6 * j);
    }
    for (std::size_t j = 0; j < 3 - padding; ++j) {
      bytes.push_back(static_cast<std::byte>(group >> (16 - 8 * j) & 0xff));
    }
    // Bits that are left over must be zero, so that each value has one text.
    if ((group & ((1U << (8 * padding)) - 1)) != 0) return std::nullopt;
    rest.remove_prefix(4);
  }
  return bytes;
}

}  // namespace coracle::acl::sl
