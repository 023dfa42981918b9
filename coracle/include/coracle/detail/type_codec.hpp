// The encoding of each C++ type: numbers, enums, strings, containers, and aggregates of them. In
// addition, the sizes that limits need: the fewest bytes of a complete encoding, the memory that a
// value has outside itself, and the factor by which its encoding may grow in memory.
#pragma once

#include "coracle/codec.hpp"
#include "coracle/detail/fields.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::detail {

// In a namespace scope without any encode(), so that only argument-dependent lookup finds one.
template <class T>
concept HasOwnCodec = requires(Encoder& encoder, Decoder& decoder, const T& in, T& out) {
  encode(encoder, in);
  decode(decoder, out);
};
template <class T>
void call_own_encode(Encoder& encoder, const T& value) {
  encode(encoder, value);
}
template <class T>
void call_own_decode(Decoder& decoder, T& value) {
  decode(decoder, value);
}

template <class T>
concept Number = std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;

template <class T>
struct Codec;

// The factor by which the memory of arrays and maps in a T may exceed their complete encoding.
// `Seen` are the types around it, because types may contain themselves.
template <class T, class... Seen>
consteval std::size_t growth_of() {
  if constexpr ((std::is_same_v<T, Seen> || ...)) return 0;
  else return Codec<T>::template growth<T, Seen...>();
}

template <class T>
consteval std::size_t footprint_growth(std::size_t footprint) {
  return (footprint + Codec<T>::min_bytes() - 1) / Codec<T>::min_bytes();
}

// The memory that a node of a tree or table needs in addition to the pair.
inline constexpr std::size_t node_bytes = 48;

template <class T>
void decode_number(Decoder& decoder, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = decoder.boolean();
  } else if constexpr (std::is_same_v<T, float>) {
    const double wide = decoder.floating();
    if (std::isfinite(wide) && std::abs(wide) > double{std::numeric_limits<float>::max()}) {
      fail_decoding("a number is too large for a float");
    }
    value = static_cast<float>(wide);
  } else if constexpr (std::is_same_v<T, double>) {
    value = decoder.floating();
  } else if constexpr (std::is_signed_v<T>) {
    const std::int64_t wide = decoder.integer();
    value = static_cast<T>(wide);
    if (value != wide) fail_decoding("an integer does not fit its type");
  } else {
    const std::uint64_t wide = decoder.unsigned_integer();
    value = static_cast<T>(wide);
    if (value != wide) fail_decoding("an integer does not fit its type");
  }
}

template <class T>
void encode_number(Encoder& encoder, T value) {
  if constexpr (std::is_same_v<T, bool>) encoder.boolean(value);
  else if constexpr (std::is_floating_point_v<T>) encoder.floating(double{value});
  else if constexpr (std::is_signed_v<T>) encoder.integer(value);
  else encoder.unsigned_integer(value);
}

// Fields, tuples and fixed arrays: an array with one item for each. When reading, missing items at
// the end leave their fields unchanged, and further items are passed over.
template <class Tuple>
struct FieldsCodec;

template <class... Fields>
struct FieldsCodec<std::tuple<Fields&...>> {
  template <class F>
  using Of = Codec<std::remove_const_t<F>>;

  static consteval std::size_t min_bytes() {
    return (std::size_t{1} + ... + Of<Fields>::min_bytes());
  }

  template <class... Seen>
  static consteval std::size_t growth() {
    return std::max({std::size_t{0}, growth_of<std::remove_const_t<Fields>, Seen...>()...});
  }
  static void encode(Encoder& encoder, const std::tuple<Fields&...>& fields) {
    encoder.begin_array(sizeof...(Fields));
    std::apply([&](const auto&... field) { (Of<Fields>::encode(encoder, field), ...); }, fields);
    encoder.end_array();
  }
  static void decode(Decoder& decoder, const std::tuple<Fields&...>& fields) {
    [[maybe_unused]] std::size_t left = decoder.begin_array();
    std::apply([&](auto&... field) {
      ((left == 0 ? void() : (--left, Of<Fields>::decode(decoder, field))), ...);
    }, fields);
    decoder.end_array();
  }
  static std::size_t heap_bytes(const std::tuple<Fields&...>& fields) noexcept {
    return std::apply([](const auto&... field) {
      return (std::size_t{0} + ... + Of<Fields>::heap_bytes(field));
    }, fields);
  }
};

// Numbers, enums, aggregates, and types with functions of their own.
template <class T>
struct Codec {
  static constexpr bool own = HasOwnCodec<T>;
  static constexpr bool flat = Number<T> || std::is_enum_v<T>;
  static_assert(own || flat || (std::is_aggregate_v<T> && !std::is_array_v<T>),
                "coracle: this type cannot be encoded; make it an aggregate of public fields, or "
                "write encode(coracle::Encoder&, const T&) and decode(coracle::Decoder&, T&) in "
                "its namespace");

  template <class U>
  using Fields = FieldsCodec<decltype(tie_fields(std::declval<U&>()))>;

  static consteval std::size_t min_bytes() {
    if constexpr (own || flat) return 1;
    else return Fields<T>::min_bytes();
  }
  template <class... Seen>
  static consteval std::size_t growth() {
    if constexpr (own || flat) return 0;
    else return Fields<T>::template growth<Seen...>();
  }
  static void encode(Encoder& encoder, const T& value) {
    if constexpr (own) call_own_encode(encoder, value);
    else if constexpr (std::is_enum_v<T>) encode_number(encoder, static_cast<Plain>(value));
    else if constexpr (flat) encode_number(encoder, value);
    else Fields<const T>::encode(encoder, tie_fields(value));
  }
  static void decode(Decoder& decoder, T& value) {
    if constexpr (own) {
      call_own_decode(decoder, value);
    } else if constexpr (std::is_enum_v<T>) {
      Plain plain{};
      decode_number(decoder, plain);
      value = static_cast<T>(plain);
    } else if constexpr (flat) {
      decode_number(decoder, value);
    } else {
      Fields<T>::decode(decoder, tie_fields(value));
    }
  }
  static std::size_t heap_bytes([[maybe_unused]] const T& value) noexcept {
    if constexpr (own || flat) return 0;
    else return Fields<const T>::heap_bytes(tie_fields(value));
  }

 private:
  static auto plain() {
    if constexpr (std::is_enum_v<T>) return std::underlying_type_t<T>{};
    else return 0;
  }
  using Plain = decltype(plain());
};

// The common part of types without elements on the heap.
struct LeafCodec {
  static consteval std::size_t min_bytes() { return 1; }
  template <class... Seen>
  static consteval std::size_t growth() {
    return 0;
  }
  static std::size_t heap_bytes(const auto&) noexcept { return 0; }
};

template <>
struct Codec<std::monostate> : LeafCodec {
  static void encode(Encoder& encoder, std::monostate) { encoder.null(); }
  static void decode(Decoder& decoder, std::monostate&) { decoder.null(); }
};

template <>
struct Codec<std::string> : LeafCodec {
  static void encode(Encoder& encoder, const std::string& value) { encoder.text(value); }
  static void decode(Decoder& decoder, std::string& value) {
    const std::string_view text = decoder.text();
    decoder.charge(text.size());
    value.assign(text);
  }
  static std::size_t heap_bytes(const std::string& value) noexcept {
    return value.capacity() < sizeof(std::string) ? 0 : value.capacity() + 1;
  }
};

template <>
struct Codec<std::vector<std::byte>> : LeafCodec {
  static void encode(Encoder& encoder, const std::vector<std::byte>& value) {
    encoder.bytes(value);
  }
  static void decode(Decoder& decoder, std::vector<std::byte>& value) {
    const auto bytes = decoder.bytes();
    decoder.charge(bytes.size());
    value.assign(bytes.begin(), bytes.end());
  }
  static std::size_t heap_bytes(const std::vector<std::byte>& value) noexcept {
    return value.capacity();
  }
};

}  // namespace coracle::detail

#include "coracle/detail/container_codec.hpp"  // the containers, which need all of the above
