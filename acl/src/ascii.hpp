// Texts whose ASCII letters are compared in any case: names of performatives, parameters, agents.
#pragma once

#include <string_view>

namespace coracle::acl {

constexpr char to_lower(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
}
constexpr char to_upper(char letter) noexcept {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - ('a' - 'A')) : letter;
}
constexpr bool is_digit(char letter) noexcept { return letter >= '0' && letter <= '9'; }
constexpr bool is_letter(char letter) noexcept {
  return to_lower(letter) >= 'a' && to_lower(letter) <= 'z';
}

// Returns whether the texts are equal, apart from the case of ASCII letters.
constexpr bool same_text(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t at = 0; at < a.size(); ++at) {
    if (to_lower(a[at]) != to_lower(b[at])) return false;
  }
  return true;
}

}  // namespace coracle::acl
