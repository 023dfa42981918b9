// Compile-time properties of message handlers, and the reasons to refuse a handler; for
// <coracle/on.hpp>.
#pragma once

#include "coracle/message.hpp"
#include "coracle/task.hpp"
#include "coracle/typed.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

namespace coracle::detail {

// A signature of a call. First and Second are void if there are fewer parameters.
template <class R, class... Parameters>
struct Call {
  static constexpr std::size_t count = sizeof...(Parameters);
  using Result = R;
  using First = std::tuple_element_t<0, std::tuple<Parameters..., void>>;
  using Second = std::tuple_element_t<1, std::tuple<Parameters..., void, void>>;
};

// Functions that are noexcept convert to these.
template <class R, class... Parameters>
Call<R, Parameters...> call_of(R (*)(Parameters...));
template <class F, class R, class... Parameters>
Call<R, Parameters...> call_of(R (F::*)(Parameters...));
template <class F, class R, class... Parameters>
Call<R, Parameters...> call_of(R (F::*)(Parameters...) const);

// Stands for a template, or for an object with several call operators: its type of content is not
// known.
struct NoCall {};

template <class F>
consteval auto find_call() {
  if constexpr (requires(F f) { call_of(f); }) return decltype(call_of(F()))();
  else if constexpr (requires { call_of(&F::operator()); })
    return decltype(call_of(&F::operator()))();
  else return NoCall();
}

// Parameters for the message itself.
template <class T>
concept IsMessage = std::is_same_v<std::remove_cvref_t<T>, Message> ||
    std::is_same_v<std::remove_cvref_t<T>, MessageView>;

// A MessageView by value could outlive its message.
template <class T>
concept CanTakeMessage = IsMessage<T> &&
    (std::is_same_v<T, const MessageView&> || std::is_same_v<std::remove_cvref_t<T>, Message>);

template <class T>
concept CanBeAwaited = requires(T& t) {
  t.await_resume();
};

template <class R>
struct ResultOf {
  using Type = R;
};
template <CanBeAwaited R>
struct ResultOf<R> {
  using Type = std::remove_cvref_t<decltype(std::declval<R&>().await_resume())>;
};

// The reasons to refuse a handler.
enum class HandlerFault {
  none,
  no_call,
  parameters,
  message_first,
  message_second,
  reference,
  unnamed,
  move_only
};

template <class F>
consteval HandlerFault fault_of_handler() {
  using HowCalled = decltype(find_call<F>());
  if constexpr (std::is_same_v<HowCalled, NoCall>) {
    return HandlerFault::no_call;
  } else if constexpr (HowCalled::count < 1 || HowCalled::count > 2) {
    return HandlerFault::parameters;
  } else if constexpr (IsMessage<typename HowCalled::First>) {
    const bool is_alone = HowCalled::count == 1 && CanTakeMessage<typename HowCalled::First>;
    return is_alone ? HandlerFault::none : HandlerFault::message_first;
  } else {
    using First = typename HowCalled::First;
    using Value = std::remove_cvref_t<First>;
    constexpr bool is_const_reference = std::is_same_v<First, const Value&>;
    if (HowCalled::count == 2 && !CanTakeMessage<typename HowCalled::Second>) {
      return HandlerFault::message_second;
    }
    if (find_content_type<Value>().empty()) return HandlerFault::unnamed;
    if (std::is_lvalue_reference_v<First> && !is_const_reference) return HandlerFault::reference;
    if (!is_const_reference && !std::is_copy_constructible_v<Value>) return HandlerFault::move_only;
    return HandlerFault::none;
  }
}

template <class Handler>
consteval bool is_good_handler() {
  return fault_of_handler<Handler>() == HandlerFault::none;
}

// Does not compile unless is_good_handler(); the compiler's message gives the reason.
template <class Handler>
void refuse_handler() {
  constexpr HandlerFault fault = fault_of_handler<Handler>();
  static_assert(fault != HandlerFault::no_call,
                "coracle: a handler of on() names the type that it takes, as in "
                "`[](const Bid& bid) {...}`; a generic lambda (auto), a template or an object that "
                "can be called in several ways does not");
  static_assert(fault != HandlerFault::parameters,
                "coracle: a handler of on() takes a value, or a value and its Message, or, as the "
                "last handler, a Message");
  static_assert(fault != HandlerFault::message_first,
                "coracle: a handler of on() takes the value first and then its Message (by value, "
                "`Message&`, `const Message&` or `const MessageView&`); the last one may take "
                "nothing but the Message");
  static_assert(fault != HandlerFault::message_second,
                "coracle: the second parameter of a handler of on() is the Message that the value "
                "came in: `Message`, `Message&`, `const Message&` or `const MessageView&`");
  static_assert(fault != HandlerFault::reference,
                "coracle: a handler of on() takes its value as `T`, `const T&` or `T&&`: content "
                "is shared, so `T&` could change what others read");
  static_assert(fault != HandlerFault::unnamed,
                "coracle: the type that a handler of on() takes has no content-type name; write "
                "`static constexpr std::string_view content_type = \"plan/v1\";` in it, or "
                "specialize coracle::ContentType for it (text comes as std::string)");
  static_assert(fault != HandlerFault::move_only,
                "coracle: a handler of on() takes a type that cannot be copied as `const T&`: "
                "content is shared, and is copied for a `T` or a `T&&`");
}

// The message, in the form that the parameter T takes.
template <class T>
decltype(auto) pass(Message& message) noexcept {
  if constexpr (std::is_lvalue_reference_v<T>) return static_cast<Message&>(message);
  else return static_cast<Message&&>(message);
}

// The types of a handler that was not refused.
template <class Handler>
struct Handling {
  using HowCalled = decltype(find_call<Handler>());
  using First = typename HowCalled::First;
  using Second = typename HowCalled::Second;
  using Value = std::remove_cvref_t<First>;
  using Result = typename ResultOf<typename HowCalled::Result>::Type;
  static constexpr bool takes_anything = IsMessage<First>;

  // The name of the type that the handler takes; empty if it takes any message.
  static consteval std::string_view type() {
    if constexpr (takes_anything) return {};
    else return find_content_type<Value>();
  }
  // The handler's first argument: the message, the shared value, or a copy of the value for a T&&.
  static decltype(auto) first_of(const Content& content, Message& message) {
    if constexpr (takes_anything) return pass<First>(message);
    else if constexpr (std::is_rvalue_reference_v<First>) return Value(content.as<Value>());
    else return content.as<Value>();
  }
};

// Calls the handler of a message. The content and the message live in this frame: the value
// outlives a handler that waits, and an exception gives the message back while it unwinds the
// frame.
template <class Result, class Handler>
Task<Result> hand_over(Handler& handler, Message given) {
  using How = Handling<Handler>;
  using Returned = typename How::HowCalled::Result;
  Message message = std::move(given);
  const Content content = How::takes_anything ? Content() : message.content();
  decltype(auto) first = How::first_of(content, message);
  const auto call = [&]() -> Returned {
    using First = decltype(first);
    if constexpr (How::HowCalled::count == 1) return handler(std::forward<First>(first));
    else return handler(std::forward<First>(first), pass<typename How::Second>(message));
  };
  if constexpr (CanBeAwaited<Returned>) {
    auto awaited = call();
    co_return static_cast<Result>(co_await awaited);
  } else {
    co_return static_cast<Result>(call());
  }
}

}  // namespace coracle::detail
