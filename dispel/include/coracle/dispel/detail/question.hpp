// A request as it is sent when it carries more than its own content.
#pragma once

#include "coracle/typed.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace coracle::dispel::detail {

// `prefix` and the type's own name, as one text.
template <class T>
struct QuestionName {
  static constexpr std::string_view prefix = "coracle/dispel/question/v2/";
  static constexpr std::string_view own = content_type_of<T>();
  static constexpr auto text = [] {
    std::array<char, prefix.size() + own.size()> joined{};
    std::size_t at = 0;
    for (const char c : prefix) joined[at++] = c;
    for (const char c : own) joined[at++] = c;
    return joined;
  }();
};

// A request with its lane. The time for which the reply is of use is the deadline of the message.
template <class T>
struct Question {
  static constexpr std::string_view content_type{QuestionName<T>::text.data(),
                                                 QuestionName<T>::text.size()};

  std::uint32_t lane = 0;
  T what{};
};

// The part of a request that a server reads before it replies.
struct QuestionHead {
  std::uint32_t lane = 0;
};

}  // namespace coracle::dispel::detail
