// The settings that open() knows for realizations of any kind.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::net {

inline constexpr std::string_view common_settings[] = {"record", "spin", "content_limit",
                                                       "connect_time"};

// Takes "KEY=VALUE" out of `rest`, the text behind a realization's scheme. A comma or another
// separator ends the value.
inline std::optional<std::string> take_setting(std::string_view key, std::string& rest) {
  const std::string begins = std::string(key) + "=";
  std::size_t at = rest.starts_with(begins) ? 0 : std::string::npos;
  for (const char before : {',', '&', '?'}) at = std::min(at, rest.find(before + begins));
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = rest.find('=', at) + 1;
  const std::size_t end = std::min(rest.find_first_of(",&", begin), rest.size());
  std::string value = rest.substr(begin, end - begin);
  if (at == 0 && end < rest.size()) rest.erase(0, end + 1);
  else if (rest[at] == '?' && end < rest.size()) rest.erase(at + 1, end - at);
  else rest.erase(at, end - at);
  return value;
}

}  // namespace coracle::net
