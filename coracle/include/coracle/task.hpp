// The only asynchronous type: a coroutine that begins when it is awaited and returns a T.
// Agents write `Task<> run()`, helpers `Task<int> ask_somebody()`; awaiting a task costs a few
// nanoseconds and the stack of a function call, whatever the compiler's settings.
#pragma once

#include "coracle/detail/pool.hpp"

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>
#include <variant>

namespace coracle {

namespace detail {

// Is notified when a task that nobody awaits has ended; the agent's runtime is one.
class RootTask {
 public:
  // `frame` is suspended at its end; the implementation destroys it.
  virtual void on_root_done(std::coroutine_handle<> frame, std::exception_ptr error) noexcept = 0;

 protected:
  ~RootTask() = default;
};

class PromiseBase {
 public:
  std::exception_ptr error;

  // Runs the coroutine `self` until it ends or waits; returns true if it waits. In that case its
  // end resumes the coroutine that awaits it. A coroutine that ends here resumes nothing: the
  // awaiting coroutine continues by itself, so a loop of such awaits takes no stack, even where the
  // compiler makes no tail calls.
  bool begin(std::coroutine_handle<> self, std::coroutine_handle<> awaiting) noexcept {
    next_ = reinterpret_cast<std::uintptr_t>(awaiting.address()) | is_begun;
    self.resume();
    if (next_ == has_ended) return false;
    next_ -= is_begun;
    return true;
  }
  // The end of the coroutine is reported to `root`.
  void set_root(RootTask& root) noexcept {
    next_ = reinterpret_cast<std::uintptr_t>(&root) | is_root;
  }

  static void* operator new(std::size_t bytes) { return pool_allocate(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept { pool_free(frame, bytes); }

  std::suspend_always initial_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }

  struct Final {
    bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
      PromiseBase& promise = self.promise();
      if ((promise.next_ & is_begun) != 0) [[likely]] {
        promise.next_ = has_ended;
        return std::noop_coroutine();
      }
      if ((promise.next_ & is_root) == 0) [[likely]]
        return std::coroutine_handle<>::from_address(reinterpret_cast<void*>(promise.next_));
      auto* const root = reinterpret_cast<RootTask*>(promise.next_ - is_root);
      root->on_root_done(self, std::move(promise.error));
      return std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };
  Final final_suspend() noexcept { return {}; }

 private:
  // No address has these bits: the objects behind the addresses begin with a pointer.
  static constexpr std::uintptr_t is_root = 1, is_begun = 2, has_ended = 3;

  std::uintptr_t next_ = reinterpret_cast<std::uintptr_t>(std::noop_coroutine().address());
};

template <class T>
struct Promise;

}  // namespace detail

// A coroutine that runs once, when it is awaited. When a Task that has not ended is destroyed,
// everything that lives in it is destroyed. Its exceptions reach the coroutine that awaits it.
template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = detail::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  // No task.
  Task() noexcept = default;
  explicit Task(Handle handle) noexcept : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  // Returns whether there is a coroutine.
  explicit operator bool() const noexcept { return static_cast<bool>(handle_); }

  // Gives the coroutine away; the caller then owns its frame.
  Handle release() noexcept { return std::exchange(handle_, {}); }

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
    return handle_.promise().begin(handle_, awaiting);
  }
  T await_resume() { return handle_.promise().take(); }

 private:
  Handle handle_;
};

namespace detail {

template <class T>
struct Promise : PromiseBase {
  std::variant<std::monostate, T> result;

  Task<T> get_return_object() noexcept {
    return Task<T>(std::coroutine_handle<Promise>::from_promise(*this));
  }
  template <class U>
  void return_value(U&& value) {
    result.template emplace<1>(std::forward<U>(value));
  }
  T take() {
    if (error) std::rethrow_exception(std::move(error));
    return std::move(*std::get_if<1>(&result));
  }
};

template <>
struct Promise<void> : PromiseBase {
  Task<void> get_return_object() noexcept {
    return Task<void>(std::coroutine_handle<Promise>::from_promise(*this));
  }
  void return_void() noexcept {}
  void take() {
    if (error) std::rethrow_exception(std::move(error));
  }
};

}  // namespace detail

}  // namespace coracle
