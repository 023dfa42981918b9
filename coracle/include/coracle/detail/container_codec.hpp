// The part of detail/type_codec.hpp for the standard library's templates.
#pragma once

#include "coracle/detail/type_codec.hpp"

namespace coracle::detail {

template <class T, class Allocator>
struct Codec<std::vector<T, Allocator>> {
  using Vector = std::vector<T, Allocator>;

  static consteval std::size_t min_bytes() { return 1; }
  template <class... Seen>
  static consteval std::size_t growth() {
    return std::max(footprint_growth<T>(sizeof(T)), growth_of<T, Seen...>());
  }
  static void encode(Encoder& encoder, const Vector& values) {
    encoder.begin_array(values.size());
    for (auto&& value : values) Codec<T>::encode(encoder, value);
    encoder.end_array();
  }
  static void decode(Decoder& decoder, Vector& values) {
    const std::size_t count = decoder.begin_array();
    decoder.charge(count * sizeof(T));
    values.clear();
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      T value{};
      Codec<T>::decode(decoder, value);
      values.push_back(std::move(value));
    }
    decoder.end_array();
  }
  static std::size_t heap_bytes(const Vector& values) noexcept {
    std::size_t bytes = values.capacity() * sizeof(T);
    if constexpr (!std::is_trivially_copyable_v<T>) {
      for (const T& value : values) bytes += Codec<T>::heap_bytes(value);
    }
    return bytes;
  }
};

template <class Map>
struct MapCodec {
  using Key = typename Map::key_type;
  using Mapped = typename Map::mapped_type;
  static constexpr std::size_t each_bytes = sizeof(typename Map::value_type) + node_bytes;

  static consteval std::size_t min_bytes() { return 1; }
  template <class... Seen>
  static consteval std::size_t growth() {
    const std::size_t pair_bytes = Codec<Key>::min_bytes() + Codec<Mapped>::min_bytes();
    return std::max({(each_bytes + pair_bytes - 1) / pair_bytes, growth_of<Key, Seen...>(),
                     growth_of<Mapped, Seen...>()});
  }
  static void encode(Encoder& encoder, const Map& map) {
    encoder.begin_map(map.size());
    for (const auto& [key, value] : map) {
      Codec<Key>::encode(encoder, key);
      Codec<Mapped>::encode(encoder, value);
    }
    encoder.end_map();
  }
  static void decode(Decoder& decoder, Map& map) {
    const std::size_t count = decoder.begin_map();
    decoder.charge(count * each_bytes);
    map.clear();
    for (std::size_t i = 0; i < count; ++i) {
      Key key{};
      Codec<Key>::decode(decoder, key);
      const auto [place, is_new] = map.try_emplace(std::move(key));
      if (!is_new) fail_decoding("a map has the same key twice");
      Codec<Mapped>::decode(decoder, place->second);
    }
    decoder.end_map();
  }
  static std::size_t heap_bytes(const Map& map) noexcept {
    std::size_t bytes = map.size() * each_bytes;
    for (const auto& [key, value] : map) {
      bytes += Codec<Key>::heap_bytes(key) + Codec<Mapped>::heap_bytes(value);
    }
    return bytes;
  }
};

template <class... Parts>
struct Codec<std::map<Parts...>> : MapCodec<std::map<Parts...>> {};
template <class... Parts>
struct Codec<std::unordered_map<Parts...>> : MapCodec<std::unordered_map<Parts...>> {};

template <class T>
struct Codec<std::optional<T>> {
  static consteval std::size_t min_bytes() { return 1; }
  template <class... Seen>
  static consteval std::size_t growth() {
    return growth_of<T, Seen...>();
  }
  static void encode(Encoder& encoder, const std::optional<T>& value) {
    if (value) Codec<T>::encode(encoder, *value);
    else encoder.null();
  }
  static void decode(Decoder& decoder, std::optional<T>& value) {
    if (decoder.peek() == Shape::null) {
      decoder.null();
      value.reset();
    } else {
      Codec<T>::decode(decoder, value.emplace());
    }
  }
  static std::size_t heap_bytes(const std::optional<T>& value) noexcept {
    return value ? Codec<T>::heap_bytes(*value) : 0;
  }
};

// A null inside could not be distinguished from the absence of a value.
template <class T>
struct Codec<std::optional<std::optional<T>>> {
  static_assert(sizeof(T) == 0, "coracle: an optional of an optional cannot be encoded");
};
template <>
struct Codec<std::optional<std::monostate>>;

// Tuples and pairs are encoded like an aggregate's fields.
template <class Tuple>
struct TupleCodec {
  static auto tie(auto& tuple) {
    return std::apply([](auto&... parts) { return std::tie(parts...); }, tuple);
  }
  template <class U>
  using Fields = FieldsCodec<decltype(tie(std::declval<U&>()))>;

  static consteval std::size_t min_bytes() { return Fields<Tuple>::min_bytes(); }
  template <class... Seen>
  static consteval std::size_t growth() {
    return Fields<Tuple>::template growth<Seen...>();
  }
  static void encode(Encoder& encoder, const Tuple& value) {
    Fields<const Tuple>::encode(encoder, tie(value));
  }
  static void decode(Decoder& decoder, Tuple& value) { Fields<Tuple>::decode(decoder, tie(value)); }
  static std::size_t heap_bytes(const Tuple& value) noexcept {
    return Fields<const Tuple>::heap_bytes(tie(value));
  }
};

template <class... Parts>
struct Codec<std::tuple<Parts...>> : TupleCodec<std::tuple<Parts...>> {};
template <class First, class Second>
struct Codec<std::pair<First, Second>> : TupleCodec<std::pair<First, Second>> {};

template <class T, std::size_t N>
struct Codec<std::array<T, N>> {
  static consteval std::size_t min_bytes() { return 1 + N * Codec<T>::min_bytes(); }
  template <class... Seen>
  static consteval std::size_t growth() {
    return growth_of<T, Seen...>();
  }
  static void encode(Encoder& encoder, const std::array<T, N>& values) {
    encoder.begin_array(N);
    for (const T& value : values) Codec<T>::encode(encoder, value);
    encoder.end_array();
  }
  static void decode(Decoder& decoder, std::array<T, N>& values) {
    const std::size_t count = std::min(N, decoder.begin_array());
    for (std::size_t i = 0; i < count; ++i) Codec<T>::decode(decoder, values[i]);
    decoder.end_array();
  }
  static std::size_t heap_bytes(const std::array<T, N>& values) noexcept {
    std::size_t bytes = 0;
    for (const T& value : values) bytes += Codec<T>::heap_bytes(value);
    return bytes;
  }
};

// A variant is encoded as the alternative's index and its value.
template <class... Alternatives>
struct Codec<std::variant<Alternatives...>> {
  using Variant = std::variant<Alternatives...>;

  static consteval std::size_t min_bytes() {
    return 2 + std::min({Codec<Alternatives>::min_bytes()...});
  }
  template <class... Seen>
  static consteval std::size_t growth() {
    return std::max({growth_of<Alternatives, Seen...>()...});
  }
  static void encode(Encoder& encoder, const Variant& value) {
    encoder.begin_array(2);
    encoder.unsigned_integer(value.index());
    std::visit([&]<class T>(const T& held) { Codec<T>::encode(encoder, held); }, value);
    encoder.end_array();
  }
  static void decode(Decoder& decoder, Variant& value) {
    decoder.begin_array();
    const std::uint64_t index = decoder.unsigned_integer();
    if (index >= sizeof...(Alternatives)) fail_decoding("a variant has no such alternative");
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((index == I ? decode_as<I>(decoder, value) : void()), ...);
    }(std::index_sequence_for<Alternatives...>{});
    decoder.end_array();
  }
  static std::size_t heap_bytes(const Variant& value) noexcept {
    return std::visit([]<class T>(const T& held) { return Codec<T>::heap_bytes(held); }, value);
  }

 private:
  template <std::size_t I>
  static void decode_as(Decoder& decoder, Variant& value) {
    auto& held = value.template emplace<I>();
    Codec<std::remove_reference_t<decltype(held)>>::decode(decoder, held);
  }
};

// A duration is encoded as its count, in the unit of the type.
template <class Rep, class Period>
struct Codec<std::chrono::duration<Rep, Period>> : LeafCodec {
  static void encode(Encoder& encoder, std::chrono::duration<Rep, Period> value) {
    encode_number(encoder, value.count());
  }
  static void decode(Decoder& decoder, std::chrono::duration<Rep, Period>& value) {
    Rep count{};
    decode_number(decoder, count);
    value = std::chrono::duration<Rep, Period>(count);
  }
};

}  // namespace coracle::detail
