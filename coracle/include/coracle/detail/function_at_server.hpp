// The function of an interface on the server's side.
#pragma once

#include "coracle/detail/function.hpp"
#include "coracle/detail/serving.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>

namespace coracle::detail {

template <class Object, class F, class... Args>
decltype(auto) call_function(F& function, Object& object, const rpc::Incoming& call,
                             const std::tuple<Args...>& arguments) {
  return std::apply(
      [&](const Args&... args) -> decltype(auto) {
        if constexpr (std::is_invocable_v<F&, Object&, const rpc::Incoming&, const Args&...>) {
          return std::invoke(function, object, call, args...);
        } else {
          return std::invoke(function, object, args...);
        }
      },
      arguments);
}

template <class Object, class F, class... Args>
struct Invoked {
  static auto result() {
    if constexpr (std::is_invocable_v<F&, Object&, const rpc::Incoming&, const Args&...>) {
      return std::type_identity<
          std::invoke_result_t<F&, Object&, const rpc::Incoming&, const Args&...>>();
    } else if constexpr (std::is_invocable_v<F&, Object&, const Args&...>) {
      return std::type_identity<std::invoke_result_t<F&, Object&, const Args&...>>();
    } else {
      struct Nothing {};
      return std::type_identity<Nothing>();
    }
  }
  static constexpr bool fits =
      std::is_invocable_v<F&, Object&, const rpc::Incoming&, const Args&...> ||
      std::is_invocable_v<F&, Object&, const Args&...>;
  using Result = typename decltype(result())::type;
};

template <class Said, class R>
Task<Content> answer_later(Task<R> task) {
  if constexpr (std::is_void_v<R>) {
    co_await task;
    co_return Content::of(Said{});
  } else {
    R value = co_await task;
    co_return Content::of(Said{std::move(value)});
  }
}

template <class T>
struct IsTask : std::false_type {};
template <class R>
struct IsTask<Task<R>> : std::true_type {
  using Value = R;
};

template <class T, class R>
concept Gives = (std::is_void_v<R> && std::is_void_v<T>) ||
                (!std::is_void_v<R> && !std::is_void_v<T> && std::is_convertible_v<T, R>);

// The stored form of any function of an object: a pointer to a member, or an object as small.
class ServedFunction {
 public:
  // The parts that a service needs of the function; without `serve`, nothing was offered.
  Offered offered() const noexcept {
    Offered all = offered_;
    all.offer = this;
    return all;
  }

 protected:
  static constexpr std::size_t most_bytes = 16;

  template <class F>
  void keep(F function) noexcept {
    static_assert(std::is_trivially_copyable_v<F> && sizeof(F) <= most_bytes,
                  "coracle: offer a pointer to a member function, or a lambda that captures no "
                  "more than two pointers");
    std::memcpy(function_.data(), &function, sizeof(F));
  }
  template <class F>
  F kept() const noexcept {
    std::array<std::byte, sizeof(F)> bytes;
    std::memcpy(bytes.data(), function_.data(), sizeof(F));
    return std::bit_cast<F>(bytes);
  }
  template <class Asked>
  static const void* read(ContentBlock* block) {
    if (const Asked* held = held_value<Asked>(block)) return held;
    return &decoded_value<Asked>(block);
  }
  template <class Asked>
  void describe(decltype(Offered::serve) serve) noexcept {
    offered_.content_type = Asked::content_type;
    offered_.kind = &typed_kind<Asked>;
    offered_.read = read<Asked>;
    offered_.serve = serve;
  }

  Offered offered_;
  alignas(std::max_align_t) std::array<std::byte, most_bytes> function_{};
};

// A stream that an object's function makes, with the objects to which it refers.
template <class Object, class F, class Asked, class Said, class T>
class ServedStream final : public OpenStream {
 public:
  ServedStream(F function, Object& object, const rpc::Incoming& call, Content content,
               const Asked& asked)
      : function_(std::move(function)), call_(call), content_(std::move(content)) {
    stream_ = call_function(function_, object, call_, asked.arguments);
  }
  Task<Content> pull(std::uint64_t stream, std::uint32_t count, bool& ended) override {
    Said said;
    said.stream = stream;
    while (said.items.size() < std::max<std::uint32_t>(count, 1)) {
      std::optional<T> item = co_await stream_.next();
      if (!item) {
        said.ended = ended = true;
        break;
      }
      said.items.push_back(std::move(*item));
    }
    co_return Content::of(std::move(said));
  }

 private:
  F function_;
  const rpc::Incoming call_;
  const Content content_;  // holds the arguments
  rpc::Stream<T> stream_;
};

}  // namespace coracle::detail

namespace coracle::rpc {

// At the server: made from the object's function, which is a member function or a small lambda that
// takes the object first. The function may take `const Incoming&` before the arguments, and may be
// a coroutine that returns Task<R>.
template <class Object, detail::Text Name, class R, class... Args>
class Function<AtServer<Object>, Name, R(Args...)> : public detail::ServedFunction {
  using Types = detail::Types<Name, R, Args...>;
  using Asked = typename Types::Asked;
  using Said = typename Types::Said;

 public:
  // The function is not offered: callers get Errc::no_such_function.
  Function() noexcept = default;
  // The function is offered.
  template <class F>
  Function(F function) noexcept {
    using Invoked = detail::Invoked<Object, F, std::decay_t<Args>...>;
    static_assert(Invoked::fits,
                  "coracle: the callable offered for this function does not take its arguments "
                  "(after the object, and `const rpc::Incoming&` if it has that parameter)");
    if constexpr (Invoked::fits) {
      keep(function);
      describe<Asked>(serve<F>);
      if constexpr (detail::IsTask<Given<F>>::value) {
        static_assert(
            detail::Gives<typename detail::IsTask<Given<F>>::Value, R>,
            "coracle: the callable offered for this function returns a task of another type");
      } else {
        static_assert(detail::Gives<Given<F>, R>,
                      "coracle: the callable offered for this function returns another type");
        offered_.answer = answer<F>;
      }
    }
  }

 private:
  template <class F>
  using Given = typename detail::Invoked<Object, F, std::decay_t<Args>...>::Result;

  template <class F>
  static detail::Handled serve(const void* offer, void* object, const Incoming& call,
                               const Message&, const void* arguments) {
    if constexpr (detail::IsTask<Given<F>>::value) {
      F function = static_cast<const Function*>(offer)->template kept<F>();
      auto& target = *static_cast<Object*>(object);
      const auto& asked = *static_cast<const Asked*>(arguments);
      return {{},
              detail::answer_later<Said>(
                  detail::call_function(function, target, call, asked.arguments)),
              {}};
    } else {
      return {answer<F>(offer, object, call, arguments), {}, {}};
    }
  }
  template <class F>
  static Content answer(const void* offer, void* object, const Incoming& call,
                        const void* arguments) {
    F function = static_cast<const Function*>(offer)->template kept<F>();
    auto& target = *static_cast<Object*>(object);
    const auto& asked = *static_cast<const Asked*>(arguments);
    if constexpr (std::is_void_v<R>) {
      detail::call_function(function, target, call, asked.arguments);
      return Content::of(Said{});
    } else {
      return Content::of(Said{detail::call_function(function, target, call, asked.arguments)});
    }
  }
};

// At the server: a member function that returns a Stream.
template <class Object, detail::Text Name, class T, class... Args>
class Function<AtServer<Object>, Name, Stream<T>(Args...)> : public detail::ServedFunction {
  using Types = detail::StreamTypes<Name, T, Args...>;
  using Asked = typename Types::Asked;

 public:
  // The function is not offered: callers get Errc::no_such_function.
  Function() noexcept = default;
  // The function is offered.
  template <class F>
  Function(F function) noexcept {
    using Invoked = detail::Invoked<Object, F, std::decay_t<Args>...>;
    static_assert(Invoked::fits && std::is_same_v<typename Invoked::Result, Stream<T>>,
                  "coracle: the callable offered for this function does not take its arguments, or "
                  "does not return rpc::Stream of its values");
    if constexpr (Invoked::fits) {
      keep(function);
      describe<Asked>(serve<F>);
    }
  }

 private:
  template <class F>
  static detail::Handled serve(const void* offer, void* object, const Incoming& call,
                               const Message& what, const void* arguments) {
    using Made = detail::ServedStream<Object, F, Asked, typename Types::Said, T>;
    const auto& asked = *static_cast<const Asked*>(arguments);
    return {{},
            {},
            std::make_unique<Made>(static_cast<const Function*>(offer)->template kept<F>(),
                                   *static_cast<Object*>(object), call, what.content(), asked),
            asked.count};
  }
};

}  // namespace coracle::rpc
