// Sets of message handlers, and compile-time checks of them; for <coracle/on.hpp>.
#pragma once

#include "coracle/detail/access.hpp"
#include "coracle/detail/handlers.hpp"
#include "coracle/match.hpp"

#include <array>
#include <memory>
#include <span>

namespace coracle::detail {

template <class... T>
struct TypeList {};

template <class... A, class... B>
TypeList<A..., B...> operator+(TypeList<A...>, TypeList<B...>);

// A std::variant in a list stands for its alternatives.
template <class T>
struct Listed {
  using Types = TypeList<T>;
};
template <class... T>
struct Listed<std::variant<T...>> {
  using Types = TypeList<T...>;
};

template <class... T>
using Flat = decltype((TypeList<>() + ... + typename Listed<T>::Types()));

template <class... Handlers>
struct HandlerSet {
  static constexpr std::size_t size = sizeof...(Handlers);
  // The names of the types that the handlers take; empty for a handler of any message.
  static constexpr std::array<std::string_view, size> names = {Handling<Handlers>::type()...};
  static constexpr bool takes_anything = size > 0 && names[size - 1].empty();
  static constexpr std::size_t typed = takes_anything ? size - 1 : size;

  static constexpr std::size_t index_of(std::string_view type) noexcept {
    for (std::size_t i = 0; i < typed; ++i) {
      if (names[i] == type) return i;
    }
    return typed;
  }
};

template <class... Handlers>
consteval bool anything_comes_last() {
  using Set = HandlerSet<Handlers...>;
  for (std::size_t i = 0; i + 1 < Set::size; ++i) {
    if (Set::names[i].empty()) return false;
  }
  return true;
}

template <class... Handlers>
consteval bool have_common_result() {
  return sizeof...(Handlers) == 0 || requires {
    typename std::common_type<typename Handling<Handlers>::Result...>::type;
  };
}

template <class T, class... Handlers>
consteval bool is_handled() {
  return (std::is_same_v<typename Handling<Handlers>::Value, T> || ...);
}

template <class Handler, std::size_t index, class... Handlers>
consteval bool is_first_for_type() {
  using Set = HandlerSet<Handlers...>;
  return Handling<Handler>::takes_anything || Set::index_of(Handling<Handler>::type()) == index;
}

template <class Handler, class... Types>
consteval bool is_listed() {
  using Value = typename Handling<Handler>::Value;
  return Handling<Handler>::takes_anything || sizeof...(Types) == 0 ||
         (std::is_same_v<Value, Types> || ...);
}

// These do not compile; the compiler's message names the type.
template <class T>
struct HandlerMissingFor {
  static_assert(!sizeof(T),
                "coracle: on<...>() has no handler for a type of its list; the compiler names it "
                "as HandlerMissingFor<TYPE>");
};
template <class T>
struct NotListed {
  static_assert(!sizeof(T),
                "coracle: on<...>() has a handler for a type that is not in its list; the compiler "
                "names it as NotListed<TYPE>");
};
template <class T>
struct SecondHandlerFor {
  static_assert(!sizeof(T),
                "coracle: two handlers of on() take messages of the same content type, and the "
                "second would never get one; the compiler names it as SecondHandlerFor<TYPE>");
};

// Checks handlers, each of which is good alone, together and against a list of types.
template <class List, class... Handlers>
struct CheckedSet;
template <class... Types, class... Handlers>
struct CheckedSet<TypeList<Types...>, Handlers...> {
  template <std::size_t... I>
  static consteval bool is_good(std::index_sequence<I...>) {
    return sizeof...(Handlers) > 0 && anything_comes_last<Handlers...>() &&
           have_common_result<Handlers...>() &&
           (... && is_first_for_type<Handlers, I, Handlers...>()) &&
           (... && is_listed<Handlers, Types...>()) && (... && is_handled<Types, Handlers...>());
  }
  // Does not compile unless is_good(); the compiler's message gives the reason.
  template <std::size_t... I>
  static void refuse(std::index_sequence<I...>) {
    static_assert(sizeof...(Handlers) > 0, "coracle: on() needs a handler");
    static_assert(anything_comes_last<Handlers...>(),
                  "coracle: the handler of on() that takes any Message comes last, and is the only "
                  "one of its kind");
    static_assert(have_common_result<Handlers...>(),
                  "coracle: the handlers of on() give nothing, or all give something of a common "
                  "type; a handler that gives a value cannot stand beside one that gives none");
    (..., refuse_second<Handlers, I>());
    (..., refuse_unlisted<Handlers>());
    (..., refuse_missing<Types>());
  }
  template <class Handler, std::size_t index>
  static void refuse_second() {
    if constexpr (!is_first_for_type<Handler, index, Handlers...>()) {
      (void)SecondHandlerFor<typename Handling<Handler>::Value>();
    }
  }
  template <class Handler>
  static void refuse_unlisted() {
    if constexpr (!is_listed<Handler, Types...>()) {
      (void)NotListed<typename Handling<Handler>::Value>();
    }
  }
  template <class T>
  static void refuse_missing() {
    if constexpr (!is_handled<T, Handlers...>()) (void)HandlerMissingFor<T>();
  }
};

// Replaces a set that was refused, so that the compiler reports no other error about the set.
struct RefusedHandlers {
  static Task<RefusedHandlers> receive(const auto&...);
  static Task<RefusedHandlers> handle(const auto&...);
  static Match match();
  explicit operator bool() const;
};

// Fits messages whose content has one of several types.
class OfTypes final : public Match::Test {
 public:
  constexpr explicit OfTypes(std::span<const std::string_view> names) noexcept : names_(names) {}
  bool fits(const MessageView& message) const override {
    const ContentBlock* const block = Access::record(message)->content;
    if (block == nullptr) return false;
    const std::string_view type = block->type();
    for (std::string_view each : names_) {
      if (each == type) return true;
    }
    return false;
  }

 private:
  std::span<const std::string_view> names_;
};

template <class Set>
inline constinit const OfTypes types_of{std::span(Set::names)};

}  // namespace coracle::detail
