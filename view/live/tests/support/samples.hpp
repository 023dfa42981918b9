// Messages for the tests of the view.
#pragma once

#include "model/seen.hpp"

#include "coracle/typed.hpp"

#include <string>
#include <utility>

namespace coracle::view::test {

inline Time at(double seconds) {
  return Time{} + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

inline Seen said(std::string from, std::string to, std::string text,
                 Conversation conversation = 0) {
  Seen seen;
  seen.at = at(1);
  seen.from = Name(from);
  seen.to = Name(to);
  seen.type = "text/plain";
  seen.content = std::move(text);
  seen.size = seen.content.size();
  seen.conversation = conversation;
  return seen;
}

// A message with a typed content, as it travels.
template <class T>
Seen typed(std::string from, std::string to, T value) {
  Seen seen = said(std::move(from), std::move(to), {});
  const Content content = Content::of(std::move(value));
  seen.type = content.type();
  const auto bytes = content.bytes();
  seen.content.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return seen;
}

}  // namespace coracle::view::test
