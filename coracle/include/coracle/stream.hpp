// Many values, one after the other: a coroutine that yields them, and whoever asks for the next.
//
//   rpc::Stream<int> count(int to) { for (int i = 0; i < to; ++i) co_yield i; }
//   rpc::Stream<int> numbers = count(3);
//   while (std::optional<int> number = co_await numbers.next()) …
//
// Between two values it may await what any agent awaits. Contract: tests/talk/rpc_streams_test.cpp.
#pragma once

#include "coracle/task.hpp"

#include <coroutine>
#include <optional>
#include <utility>

namespace coracle::rpc {

// Owns the coroutine; destroying it ends that where it is.
template <class T>
class [[nodiscard]] Stream {
 public:
  // What the compiler needs.
  struct promise_type : coracle::detail::PromiseBase {
    std::optional<T> item;

    Stream get_return_object() noexcept {
      return Stream(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    // One value is there; the coroutine goes on when the next is asked for.
    Final yield_value(T value) {
      item.emplace(std::move(value));
      return {};
    }
    // It has ended.
    void return_void() noexcept {}
  };
  using Handle = std::coroutine_handle<promise_type>;

  // A stream of nothing.
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

  // Awaited: the next value, or nothing at the end; throws what the coroutine throws, once.
  class [[nodiscard]] Next {
   public:
    // Of that coroutine.
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
  // Awaits one.
  Next next() noexcept { return Next(handle_); }

 private:
  Handle handle_;
};

}  // namespace coracle::rpc
