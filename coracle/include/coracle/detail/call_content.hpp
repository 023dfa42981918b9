// What calls and their answers are as messages. The name of the function is in the type of the
// content; arguments and answers are encoded like any other content.
#pragma once

#include "coracle/typed.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::detail {

// Text as an argument of a template.
template <std::size_t Size>
struct Text {
  consteval Text(const char (&text)[Size]) { std::copy_n(text, Size, chars); }
  constexpr std::string_view view() const { return {chars, Size - 1}; }

  char chars[Size];
};

inline constexpr std::string_view call_prefix = "rpc/call/";
inline constexpr std::string_view stream_prefix = "rpc/open/";
inline constexpr std::string_view answer_prefix = "rpc/answer/";
// All that a service is sent begins with this.
inline constexpr std::string_view rpc_prefix = "rpc/";

template <const std::string_view& Prefix, Text Name>
struct Joined {
  static constexpr auto chars = [] {
    std::array<char, Prefix.size() + Name.view().size()> all{};
    std::copy(Prefix.begin(), Prefix.end(), all.begin());
    std::copy(Name.view().begin(), Name.view().end(), all.begin() + Prefix.size());
    return all;
  }();
  static constexpr std::string_view view{chars.data(), chars.size()};
};

template <Text Name, class... Args>
struct Call {
  static constexpr std::string_view content_type = Joined<call_prefix, Name>::view;
  std::tuple<Args...> arguments;
};

template <Text Name, class R>
struct Answer {
  static constexpr std::string_view content_type = Joined<answer_prefix, Name>::view;
  R value;
};

// Begins a stream and asks for its first items.
template <Text Name, class... Args>
struct Opening {
  static constexpr std::string_view content_type = Joined<stream_prefix, Name>::view;
  std::uint32_t count = 1;
  std::tuple<Args...> arguments;
};

template <Text Name, class T>
struct Items {
  static constexpr std::string_view content_type = Joined<answer_prefix, Name>::view;
  std::uint64_t stream = 0;
  bool ended = false;
  std::vector<T> items;
};

// Asks for further items of a stream.
struct More {
  static constexpr std::string_view content_type = "rpc/more";
  std::uint64_t stream = 0;
  std::uint32_t count = 1;
};

// Nobody wants further items.
struct Enough {
  static constexpr std::string_view content_type = "rpc/enough";
  std::uint64_t stream = 0;
};

// Why there is no answer.
enum class CallFault : std::uint8_t {
  refused,        // the function threw
  no_function,    // there is none of that name
  bad_arguments,  // the content is not what the function takes
  too_late,       // the deadline had passed before its turn came
  no_stream,      // the stream has ended, or was left alone for too long
  too_many,       // as many streams as may be are open
  begun_before,   // whoever took it first has ended over it
};

struct CallFailure {
  static constexpr std::string_view content_type = "rpc/failure";
  CallFault fault = CallFault::refused;
  std::string text;
};

template <class R>
using Held = std::conditional_t<std::is_void_v<R>, std::monostate, std::decay_t<R>>;

// What travels for a plain function.
template <Text Name, class R, class... Args>
struct Types {
  static_assert(!Name.view().empty() && Name.view().size() <= 100,
                "coracle: the name of a remote function has 1 to 100 bytes");
  using Asked = Call<Name, std::decay_t<Args>...>;
  using Said = Answer<Name, Held<R>>;

  static Content asked(std::decay_t<Args>... args) {
    return Content::of(Asked{{std::move(args)...}});
  }
};

template <Text Name, class T, class... Args>
struct StreamTypes {
  using Asked = Opening<Name, std::decay_t<Args>...>;
  using Said = Items<Name, T>;

  static Content asked(std::uint32_t count, std::decay_t<Args>... args) {
    return Content::of(Asked{count, {std::move(args)...}});
  }
};

}  // namespace coracle::detail
