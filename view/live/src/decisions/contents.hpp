// Contents of messages as values, and values as JSON of bounded size.
#pragma once

#include "model/seen.hpp"
#include "server/json.hpp"

#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::view {

inline constexpr std::size_t most_shown = 100, longest_shown = 200;

// The content as a T, if it is one.
template <class T>
std::optional<T> content_as(const Seen& message) {
  if (message.type != T::content_type) return std::nullopt;
  try {
    const auto bytes = std::as_bytes(std::span(message.content));
    return Content::bytes(bytes, message.type).template as<T>();
  } catch (const Error&) {
    return std::nullopt;  // a stranger has sent it
  }
}

// A text of bounded length.
inline json::string shown(std::string_view text) {
  std::string clean = utf8(text.substr(0, 2 * longest_shown));
  for (std::size_t cut = longest_shown; clean.size() > longest_shown; --cut)
    if ((static_cast<unsigned char>(clean[cut]) & 0xc0) != 0x80) clean.resize(cut);
  return json::string(clean);
}

// The first texts or numbers of a list.
template <class List>
json::array some(const List& list) {
  json::array array;
  for (const auto& each : list) {
    if (array.size() == most_shown) break;
    if constexpr (std::is_convertible_v<decltype(each), std::string_view>)
      array.emplace_back(shown(each));
    else array.emplace_back(each);
  }
  return array;
}

// The name of one thing of an agent.
inline std::string id_of(const Name& owner, std::uint64_t number) {
  return owner.str() + "#" + std::to_string(number);
}

}  // namespace coracle::view
