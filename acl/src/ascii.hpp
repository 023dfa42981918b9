// Texts whose ASCII letters are compared in any case: names of performatives, parameters, agents.
#pragma once

#include <algorithm>
#include <cstddef>
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
// Returns whether the letter is white space of the text forms.
constexpr bool is_blank(char letter) noexcept {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}
// Returns whether the letter can be part of a word that all platforms read: visible ASCII without
// brackets and double quotes.
constexpr bool is_in_words(char letter) noexcept {
  return letter > ' ' && letter < 0x7f && letter != '(' && letter != ')' && letter != '"';
}

// Returns whether the texts are equal, apart from the case of ASCII letters.
constexpr bool same_text(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t at = 0; at < a.size(); ++at) {
    if (to_lower(a[at]) != to_lower(b[at])) return false;
  }
  return true;
}

// Returns whether all of `text`, which is not empty, can be part of a word.
constexpr bool is_word(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, is_in_words);
}

}  // namespace coracle::acl
