// A value or the Error that explains its absence, with the member names of std::expected.
// Every throwing operation has a `_result` form that returns a Result and never throws.
#pragma once

#include "coracle/errors.hpp"

#include <optional>
#include <utility>
#include <variant>

namespace coracle {

// Holds a T, or the Error that explains why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  // A success.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  // A failure.
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  // Returns whether there is a value.
  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  // The value; throws the Error when there is none.
  T& value() & { return check(), *std::get_if<0>(&state_); }
  // The value; throws the Error when there is none.
  const T& value() const& { return check(), *std::get_if<0>(&state_); }
  // The value, moved out; throws the Error when there is none.
  T&& value() && { return check(), std::move(*std::get_if<0>(&state_)); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // The value, or `other` when there is none.
  T value_or(T other) const& {
    if (has_value()) return *std::get_if<0>(&state_);
    return other;
  }
  // The value, moved out, or `other` when there is none.
  T value_or(T other) && {
    if (has_value()) return std::move(*std::get_if<0>(&state_));
    return other;
  }

  // The error; requires that there is one.
  const Error& error() const { return std::get<1>(state_); }

 private:
  void check() const {
    if (!has_value()) throw error();
  }

  std::variant<T, Error> state_;
};

// Success without a value, or the Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  // A success.
  Result() = default;
  // A failure.
  Result(Error error) : error_(std::move(error)) {}

  // Returns whether the operation succeeded.
  bool has_value() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return has_value(); }

  // Throws the Error if there is one.
  void value() const {
    if (error_) throw *error_;
  }

  // The error; requires that there is one.
  const Error& error() const { return error_.value(); }

 private:
  std::optional<Error> error_;
};

}  // namespace coracle
