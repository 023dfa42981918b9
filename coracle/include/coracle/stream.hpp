// Many values, one after the other: a coroutine that yields them, and a reader that requests the
// next.
//
//   rpc::Stream<int> count(int to) { for (int i = 0; i < to; ++i) co_yield i; }
//   rpc::Stream<int> numbers = count(3);
//   while (std::optional<int> number = co_await numbers.next()) …
//
// Between two values the coroutine may await everything that an agent may await. Tests:
// tests/talk/rpc_groups_test.cpp.
#pragma once

#include "coracle/task.hpp"

#include <coroutine>
#include <optional>
#include <utility>

namespace coracle::rpc {

// Owns the coroutine; its destructor ends the coroutine at its present point.
template <class T>
class [[nodiscard]] Stream {
 public:
  // The type that the compiler requires.
  struct promise_type : coracle::detail::PromiseBase {
    std::optional<T> item;

    Stream get_return_object() noexcept {
      return Stream(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    // A value is ready; the coroutine continues when the next one is requested.
    Final yield_value(T value) {
      item.emplace(std::move(value));
      return {};
    }
    // The coroutine has ended.
    void return_void() noexcept {}
  };
  using Handle = std::coroutine_handle<promise_type>;

  // A stream without a coroutine, which gives no values.
  Stream() noexcept = default;
  explicit Stream(Handle handle) noexcept : handle_(handle) {}
  Stream(Stream&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Stream() {
    if (handle_) handle_.destroy();
  }

  // When awaited, gives the next value, or nothing at the end; throws each exception of the
  // coroutine once.
  class [[nodiscard]] Next {
   public:
    // Reads from that coroutine.
    explicit Next(Handle handle) noexcept : handle_(handle) {}
    bool await_ready() const noexcept { return !handle_ || handle_.done(); }
    bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
      handle_.promise().item.reset();
      return handle_.promise().begin(handle_, awaiting);
    }
    std::optional<T> await_resume() {
      if (!handle_) return std::nullopt;
      if (handle_.promise().error) {
        std::rethrow_exception(std::exchange(handle_.promise().error, nullptr));
      }
      return std::exchange(handle_.promise().item, std::nullopt);
    }

   private:
    Handle handle_;
  };
  // Returns an object to be awaited for the next value.
  Next next() noexcept { return Next(handle_); }

 private:
  Handle handle_;
};

}  // namespace coracle::rpc
