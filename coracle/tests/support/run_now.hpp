// Runs a task that never really waits, from a test that is no coroutine.
#pragma once

#include "coracle/task.hpp"

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace coracle::test {

namespace detail {

// Records that a task has ended, and its failure.
class Ended final : public coracle::detail::RootTask {
 public:
  void on_root_done(std::coroutine_handle<> frame, std::exception_ptr error) noexcept override {
    frame.destroy();
    done = true;
    failure = std::move(error);
  }

  bool done = false;
  std::exception_ptr failure;
};

inline void run(Task<> task) {
  Ended ended;
  const auto frame = task.release();
  frame.promise().set_root(ended);
  frame.resume();
  if (!ended.done) {
    frame.destroy();
    throw std::logic_error("run_now() was given a task that waits for something");
  }
  if (ended.failure) std::rethrow_exception(ended.failure);
}

template <class T>
Task<> store(Task<T> task, std::optional<T>& result) {
  result.emplace(co_await std::move(task));
}

}  // namespace detail

// Returns the result of `task`. Throws std::logic_error, which fails the test, if it waits.
template <class T>
T run_now(Task<T> task) {
  std::optional<T> result;
  detail::run(detail::store(std::move(task), result));
  return std::move(*result);
}

// The same for a task without a result.
inline void run_now(Task<> task) { detail::run(std::move(task)); }

}  // namespace coracle::test
