// Small functions on the characters of HTTP, which are ASCII whatever the locale.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace coracle::http {

constexpr char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& each : result) each = to_lower(each);
  return result;
}

constexpr bool same_word(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return to_lower(x) == to_lower(y);
         });
}

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) noexcept { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }
constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

// The characters of names of headers, methods and the like. A table within the function would be
// copied for each character.
inline constexpr auto token_characters = [] {
  std::array<bool, 256> all{};
  for (const char each : std::string_view("!#$%&'*+-.^_`|~"))
    all[static_cast<unsigned char>(each)] = true;
  for (char each = '0'; each <= '9'; ++each) all[static_cast<unsigned char>(each)] = true;
  for (char each = 'a'; each <= 'z'; ++each) all[static_cast<unsigned char>(each)] = true;
  for (char each = 'A'; each <= 'Z'; ++each) all[static_cast<unsigned char>(each)] = true;
  return all;
}();
constexpr bool is_token_character(char c) noexcept {
  return token_characters[static_cast<unsigned char>(c)];
}
constexpr bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_character);
}

// Returns the value of a hexadecimal digit, or -1.
constexpr int hex_value(char c) noexcept {
  if (is_digit(c)) return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Returns `text` without blanks at both ends.
constexpr std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Returns the number that the text consists of; nothing if it is anything else.
template <class Number>
std::optional<Number> number_in(std::string_view text) noexcept {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || !is_digit(text.front()) || stop != end || error != std::errc())
    return std::nullopt;
  return number;
}

}  // namespace coracle::http
