// The messages of remote calls and of their replies. The name of the function is in the content
// type; arguments and results are encoded like any other content.
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

// A text as a template argument.
template <std::size_t Size>
struct Text {
  consteval Text(const char (&text)[Size]) { std::copy_n(text, Size, chars); }
  constexpr std::string_view view() const { return {chars, Size - 1}; }

  char chars[Size];
};

inline constexpr std::string_view call_prefix = "rpc/call/";
inline constexpr std::string_view stream_prefix = "rpc/open/";
inline constexpr std::string_view answer_prefix = "rpc/answer/";
// The content type of every message to a service begins with this.
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

// Begins a stream and requests its first items.
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

// Requests further items of a stream.
struct More {
  static constexpr std::string_view content_type = "rpc/more";
  std::uint64_t stream = 0;
  std::uint32_t count = 1;
};

// Ends a stream: the caller wants no further items.
struct Enough {
  static constexpr std::string_view content_type = "rpc/enough";
  std::uint64_t stream = 0;
};

// The reason why there is no result.
enum class CallFault : std::uint8_t {
  refused,        // the function threw
  no_function,    // the service has no function of that name
  bad_arguments,  // the content is not the function's arguments
  too_late,       // the deadline had passed before the call was begun
  no_stream,      // the stream has ended, or was left idle for too long
  too_many,       // the largest number of streams is open
  begun_before,   // the agent that took the call first ended while it had the call
};

struct CallFailure {
  static constexpr std::string_view content_type = "rpc/failure";
  CallFault fault = CallFault::refused;
  std::string text;
};

template <class R>
using Held = std::conditional_t<std::is_void_v<R>, std::monostate, std::decay_t<R>>;

// The types of the messages for a plain function.
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
