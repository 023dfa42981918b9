// Names that a hostile member would choose: they look different, and have the same hash. They are
// made by an inverse computation of the hash (coracle/src/name.cpp).
#pragma once

#include "coracle/name.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace coracle::test {

// `count` names below evil/ that agree in those bits of their hash; always the same ones.
inline std::vector<Name> colliding_names(std::size_t count, std::uint32_t bits = ~0U,
                                         std::uint32_t hash = 0x5eed1234) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15, odd = 0xd6e8feb86659fd93;
  constexpr std::uint64_t inverse = [] {
    std::uint64_t found = odd;  // right in its last three bits; each step doubles their number
    for (int step = 0; step < 5; ++step) found *= 2 - odd * found;
    return found;
  }();
  static_assert(odd * inverse == 1);
  const std::string_view begin = "evil/abc";
  constexpr std::size_t bytes = 16;  // of a name: these, and eight that are computed
  std::uint64_t first;
  std::memcpy(&first, begin.data(), sizeof first);
  std::uint64_t before = (bytes * golden ^ first) * odd;
  before ^= before >> 32;
  const auto back = [](std::uint64_t state) { return (state ^ state >> 32) * inverse; };

  std::vector<Name> names;
  names.reserve(count);
  for (std::uint32_t number = 1; names.size() < count; ++number) {
    const std::uint32_t high = number * 0x9e3779b1U;
    const std::uint32_t wanted = (hash & bits) | (number * 0x85ebca6bU & ~bits);
    const std::uint64_t state = std::uint64_t{high} << 32 | (wanted ^ high);
    const std::uint64_t last = back(back(state) ^ golden) ^ before;
    bool is_plain = true;
    char text[sizeof last];
    std::memcpy(text, &last, sizeof last);
    for (const char character : text)
      is_plain = is_plain && character > ' ' && character <= '~' && character != '/';
    if (is_plain) names.emplace_back(std::string(begin) + std::string(text, sizeof text));
  }
  return names;
}

}  // namespace coracle::test
