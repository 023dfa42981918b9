// Runs a task that never really waits, from a function that is no coroutine: a request to a
// directory in memory, for example.
#pragma once

#include "coracle/task.hpp"

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace coracle::detail {

// Records that a task has ended, and its failure.
class EndedTask final : public RootTask {
 public:
  void on_root_done(std::coroutine_handle<> frame, std::exception_ptr error) noexcept override {
    frame.destroy();
    done = true;
    failure = std::move(error);
  }

  bool done = false;
  std::exception_ptr failure;
};

// Runs `task`. Throws std::logic_error if it waits.
inline void run_now(Task<> task) {
  EndedTask ended;
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
Task<> store_result(Task<T> task, std::optional<T>& result) {
  result.emplace(co_await std::move(task));
}

// The same for a task with a result, which it returns.
template <class T>
T run_now(Task<T> task) {
  std::optional<T> result;
  run_now(store_result(std::move(task), result));
  return std::move(*result);
}

}  // namespace coracle::detail
