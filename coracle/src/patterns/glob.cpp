#include "coracle/support/glob.hpp"

#include <algorithm>

#include <bitset>

namespace coracle::detail {

// All positions of the pattern that may be reached are followed at once, so that no text takes
// long.
bool fits(std::string_view pattern, std::string_view text) noexcept {
  if (pattern.find('*') == pattern.npos) return pattern == text;
  if (pattern.size() > longest_glob) return false;
  std::bitset<longest_glob + 1> here, next;
  const auto is_double = [pattern](std::size_t at) {
    return pattern[at] == '*' && at + 1 < pattern.size() && pattern[at + 1] == '*';
  };
  // A star may match nothing.
  const auto reach = [&](auto& places, std::size_t at) {
    places.set(at);
    while (at < pattern.size() && pattern[at] == '*') places.set(at += is_double(at) ? 2 : 1);
  };
  reach(here, 0);
  for (const char letter : text) {
    next.reset();
    for (std::size_t at = 0; at < pattern.size(); ++at) {
      if (!here.test(at)) continue;
      if (pattern[at] != '*') {
        if (pattern[at] == letter) reach(next, at + 1);
      } else if (is_double(at) || letter != '/') {
        reach(next, at);
      }
    }
    if (next.none()) return false;
    here = next;
  }
  return here.test(pattern.size());
}

bool fits_one(std::span<const std::string> patterns, std::string_view text) noexcept {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& each) { return fits(each, text); });
}

std::string expression_of(std::string_view pattern) {
  std::string expression;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char each = pattern[i];
    const bool is_letter = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
    if (each == '*') {
      std::size_t stars = 1;
      for (; i + 1 < pattern.size() && pattern[i + 1] == '*'; ++i) ++stars;
      expression += stars > 1 ? "(?s:.*)" : "[^/]*";
      continue;
    }
    const bool is_sign = static_cast<unsigned char>(each) < 0x80 && !is_letter && each != '/' &&
                         !(each >= '0' && each <= '9');
    if (is_sign) expression += '\\';
    expression += each;
  }
  return expression;
}

}  // namespace coracle::detail
