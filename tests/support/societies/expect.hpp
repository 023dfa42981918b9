// Expectations of agents. An expectation that is not met throws a Failure, which ends its agent
// and, through Society, the test: no assertion of a test framework runs on a worker's thread.
#pragma once

#include "coracle/errors.hpp"
#include "coracle/result.hpp"
#include "coracle/task.hpp"
#include "coracle/testing/failure.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace coracle::test {

using testing::fail;
using testing::Failure;

namespace detail {

[[noreturn]] void fail_equal(std::string_view what, const std::string& got,
                             const std::string& wanted, const char* file, int line);
void check_errc(Errc wanted, const Error* error, std::string_view what, const char* file, int line);

template <class T>
std::string shown(const T& value) {
  if constexpr (std::is_same_v<T, bool>) return value ? "true" : "false";
  else if constexpr (std::is_enum_v<T>) return std::to_string(static_cast<int>(value));
  else if constexpr (std::is_arithmetic_v<T>) return std::to_string(value);
  else if constexpr (requires { value.view(); }) return std::string(value.view());
  else return std::string(value);
}

}  // namespace detail

// Fails unless `met`.
inline void expect(bool met, std::string_view what, const char* file = __builtin_FILE(),
                   int line = __builtin_LINE()) {
  if (!met) fail(what, file, line);
}

// Fails, and shows both, unless `got == wanted`.
template <class Got, class Wanted>
void expect_equal(const Got& got, const Wanted& wanted, std::string_view what,
                  const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  bool equal = false;
  if constexpr (std::is_integral_v<Got> && std::is_integral_v<Wanted> &&
                !std::is_same_v<Got, bool>)
    equal = std::cmp_equal(got, wanted);
  else
    equal = got == wanted;
  if (!equal) detail::fail_equal(what, detail::shown(got), detail::shown(wanted), file, line);
}

// Fails unless `result` is an Error of that kind whose sentence contains more than its kind.
template <class T>
void expect_error(const Result<T>& result, Errc wanted, std::string_view what,
                  const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  detail::check_errc(wanted, result.has_value() ? nullptr : &result.error(), what, file, line);
}

// The same for the result of result_of() or error_from().
inline void expect_error(const std::optional<Error>& error, Errc wanted, std::string_view what,
                         const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  detail::check_errc(wanted, error ? &*error : nullptr, what, file, line);
}

// The Error that leaves `task`, or nothing; any other exception is passed on.
template <class T>
Task<std::optional<Error>> error_of(Task<T> task) {
  try {
    (void)co_await std::move(task);
  } catch (const Error& error) {
    co_return error;
  }
  co_return std::nullopt;
}

template <>
inline Task<std::optional<Error>> error_of(Task<void> task) {
  try {
    co_await std::move(task);
  } catch (const Error& error) {
    co_return error;
  }
  co_return std::nullopt;
}

// The Error that leaves `action()`, or nothing.
template <class Action>
std::optional<Error> error_from(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace coracle::test
