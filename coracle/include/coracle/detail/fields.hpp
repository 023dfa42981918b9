// The fields of a plain aggregate, found without a macro: their number, and references to all of
// them.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace coracle::detail {

// The largest number of fields that is looked for.
inline constexpr std::size_t max_fields = 16;

// The number of fields of T. An empty pair of braces initializes exactly one field, whatever its
// type, so the longest list that T accepts shows the number; above max_fields the result is 17.
template <class T>
consteval std::size_t count_fields() {
  static_assert(std::is_aggregate_v<T>);
  // clang-format off
  if constexpr (requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 17;
  else if constexpr (requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 16;
  else if constexpr (requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 15;
  else if constexpr (requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 14;
  else if constexpr (requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 13;
  else if constexpr (requires { T{{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 12;
  else if constexpr (requires { T{{},{},{},{},{},{},{},{},{},{},{}}; }) return 11;
  else if constexpr (requires { T{{},{},{},{},{},{},{},{},{},{}}; }) return 10;
  else if constexpr (requires { T{{},{},{},{},{},{},{},{},{}}; }) return 9;
  else if constexpr (requires { T{{},{},{},{},{},{},{},{}}; }) return 8;
  else if constexpr (requires { T{{},{},{},{},{},{},{}}; }) return 7;
  else if constexpr (requires { T{{},{},{},{},{},{}}; }) return 6;
  else if constexpr (requires { T{{},{},{},{},{}}; }) return 5;
  else if constexpr (requires { T{{},{},{},{}}; }) return 4;
  else if constexpr (requires { T{{},{},{}}; }) return 3;
  else if constexpr (requires { T{{},{}}; }) return 2;
  else if constexpr (requires { T{{}}; }) return 1;
  else return 0;
  // clang-format on
}

// A tuple of references to the fields of `value`, in order.
template <class T>
constexpr auto tie_fields(T& value) {
  constexpr std::size_t count = count_fields<std::remove_const_t<T>>();
  static_assert(count <= max_fields,
                "coracle: an aggregate may have at most 16 fields; group some of them in a struct "
                "of their own, or write encode() and decode() for the type");
  if constexpr (count == 0) {
    return std::tuple<>();
  } else if constexpr (count == 1) {
    auto& [a] = value;
    return std::tie(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = value;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = value;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = value;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = value;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = value;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = value;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (count == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (count == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (count == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  }
}

}  // namespace coracle::detail
