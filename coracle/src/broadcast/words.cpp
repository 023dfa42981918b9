#include "broadcast/words.hpp"

#include <charconv>

namespace coracle::detail {

std::string written(const BroadcastWords& words) {
  std::string text(words.role);
  for (const std::uint64_t id : words.ids) text += ' ' + std::to_string(id);
  return text;
}

BroadcastWords read_words(std::string_view text) {
  BroadcastWords words;
  words.role = text.substr(0, text.find(' '));
  const char* at = text.data() + words.role.size();
  const char* const end = text.data() + text.size();
  while (at != end) {
    std::uint64_t id = 0;
    const auto [next, error] = std::from_chars(at + 1, end, id);
    if (*at != ' ' || error != std::errc()) break;
    words.ids.push_back(id);
    at = next;
  }
  return words;
}

}  // namespace coracle::detail
