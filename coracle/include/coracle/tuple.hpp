// The fields of a tuple, and the conditions of a pattern. A field is a truth value, a whole number,
// a number with a fraction, text or bytes. A pattern gives the fields that must be equal, and
// any<T> where every value of that type fits. Tests: coracle/tests/tuple_store_test.cpp.
#pragma once

#include "coracle/detail/type_codec.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace coracle {

// The largest number of fields of a tuple, which has at least one.
inline constexpr std::size_t max_tuple_fields = 16;

// A position of a pattern that any value of type T fills.
template <class T>
struct Any {};
// An Any<T> to be written in the position of a value: `in("task", any<int>)`.
template <class T>
inline constexpr Any<T> any{};

// The kinds of fields; the numbers are those of TupleField's alternatives.
enum class FieldKind : std::uint8_t { boolean, integer, floating, text, bytes };

// A field that is left open. A whole number must fit the requested type: that many bytes, with a
// sign or without.
struct OpenField {
  FieldKind kind = FieldKind::boolean;
  std::uint8_t width = 8;
  bool is_signed = true;

  bool operator==(const OpenField&) const = default;
};

// One field of a tuple or of a pattern.
using TupleField =
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::byte>, OpenField>;
// A tuple, or a pattern, as it is sent and stored.
using TupleFields = std::vector<TupleField>;

// Returns whether a tuple meets a pattern.
bool matches(const TupleFields& pattern, const TupleFields& tuple) noexcept;
// The tuple as text for people: ("task", 7, 0.5).
std::string to_string(const TupleFields& fields);

namespace detail {

// Throws Error(Errc::too_large).
[[noreturn]] void fail_too_large();

// The representation of a T in a tuple, and its type outside.
template <class T>
struct FieldOf;

template <class T>
requires std::is_integral_v<T>
struct FieldOf<T> {
  using Value = T;
  static TupleField store(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      return value;
    } else {
      const auto number = static_cast<std::int64_t>(value);
      if (std::is_unsigned_v<T> && number < 0) fail_too_large();
      return number;
    }
  }
  static OpenField open() {
    if constexpr (std::is_same_v<T, bool>) return {};
    return {FieldKind::integer, sizeof(T), std::is_signed_v<T>};
  }
  static T load(const TupleField& field) {
    if constexpr (std::is_same_v<T, bool>) return std::get<bool>(field);
    else return static_cast<T>(std::get<std::int64_t>(field));
  }
};

template <class T>
requires std::is_floating_point_v<T>
struct FieldOf<T> {
  using Value = T;
  static TupleField store(T value) { return double{value}; }
  static OpenField open() { return {FieldKind::floating, 8, true}; }
  static T load(const TupleField& field) { return static_cast<T>(std::get<double>(field)); }
};

template <class T>
requires std::is_convertible_v<T, std::string_view>
struct FieldOf<T> {
  using Value = std::string;
  static TupleField store(std::string_view value) { return std::string(value); }
  static OpenField open() { return {FieldKind::text, 8, true}; }
  static std::string load(const TupleField& field) { return std::get<std::string>(field); }
};

template <>
struct FieldOf<std::vector<std::byte>> {
  using Value = std::vector<std::byte>;
  static TupleField store(Value value) { return value; }
  static OpenField open() { return {FieldKind::bytes, 8, true}; }
  static Value load(const TupleField& field) { return std::get<Value>(field); }
};

template <class T>
struct FieldOf<Any<T>> {
  using Value = typename FieldOf<T>::Value;
  static TupleField store(Any<T>) { return FieldOf<T>::open(); }
  static Value load(const TupleField& field) { return FieldOf<T>::load(field); }
};

template <class T>
inline constexpr bool is_open = false;
template <class T>
inline constexpr bool is_open<Any<T>> = true;

template <class... Fields>
TupleFields fields_of(const Fields&... fields) {
  static_assert(sizeof...(Fields) >= 1 && sizeof...(Fields) <= max_tuple_fields,
                "coracle: a tuple has 1 to 16 fields");
  TupleFields all;
  all.reserve(sizeof...(Fields));
  (all.push_back(FieldOf<std::decay_t<Fields>>::store(fields)), ...);
  return all;
}

// The tuple that matched a pattern of these fields.
template <class... Fields>
using TupleOf = std::tuple<typename FieldOf<std::decay_t<Fields>>::Value...>;

template <class... Fields>
TupleOf<Fields...> tuple_of(const TupleFields& fields) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return TupleOf<Fields...>(FieldOf<std::decay_t<Fields>>::load(fields[I])...);
  }
  (std::index_sequence_for<Fields...>{});
}

}  // namespace detail

}  // namespace coracle
