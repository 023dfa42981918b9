// Quotes a setting in a sentence about its error. The setting may be mistyped, and hold a key,
// which is never shown: neither to a person nor in a log.
#pragma once

#include "realizations/net/src/society_key.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace coracle::net {

// Returns "'fast'", or "something else" when the text is longer, or made of other characters, than
// any right setting of this kind. For the names of settings, and for values that are words or
// numbers.
inline std::string shown_setting(std::string_view text) {
  constexpr std::size_t longest = 24;
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789_.:+-";
  const bool is_plain =
      text.size() <= longest && text.find_first_not_of(letters) == text.npos &&
      text.find(SocietyKey::prefix.substr(0, SocietyKey::prefix.size() - 1)) == text.npos;
  return is_plain ? "'" + std::string(text) + "'" : "something else";
}

// Returns the beginning of an address such as "tcp://192.0.2.7:4410", as far as it can be one.
inline std::string_view place_in(std::string_view text) {
  if (text.find('@') != text.npos) return text.substr(0, std::min(text.find("://"), text.size()));
  return text.substr(0, std::min(text.find_first_of("?&,;= "), text.find(SocietyKey::prefix)));
}

}  // namespace coracle::net
