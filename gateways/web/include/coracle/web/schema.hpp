// The JSON Schema of C++ types, and their values as JSON. These are the types that the society
// encodes (coracle/typed.hpp): numbers, texts, containers, and aggregates of them.
//
// An aggregate is an array with one item for each field. It is an object if its type names the
// fields:
//
//   struct Place {
//     static constexpr std::string_view field_names[] = {"x", "y"};
//     double x = 0, y = 0;
//   };
//
// A map with texts as keys is an object, any other a list of pairs; bytes are text in base64; a
// variant is [index, value]; an enumeration and a duration are numbers.
// Tests: gateways/web/tests/schema_test.cpp
#pragma once

#include "coracle/codec.hpp"
#include "coracle/detail/type_codec.hpp"
#include "coracle/web/json.hpp"
#include "coracle/web/json_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::web {

// The kinds of types.
enum class TypeKind : std::uint8_t {
  any,       // a type with functions of its own, which may write anything
  nothing,   // null
  truth,     // a truth value
  whole,     // a whole number within bounds
  number,    // a number
  text,      // a text
  bytes,     // bytes
  list,      // a list of values of one type
  fields,    // one value for each field
  map,       // keys and values
  optional,  // a value or null
  variant,   // one of several types
};

// A type in a schema. Types refer to each other by their numbers.
struct TypeShape {
  TypeKind kind = TypeKind::any;
  // The bounds of a whole number, as far as 63 bits show them.
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  // The types within: the item; the fields; key and value; the alternatives.
  std::vector<std::size_t> parts = {};
  // The names of the fields; none: they are an array.
  std::vector<std::string> names = {};
};

// A type, with all types within it. Any number of threads may use it.
class Schema {
 public:
  // A type that may be anything.
  Schema() : shapes_(1) {}
  // The first shape is the type itself. Requires that all numbers in it are shapes.
  explicit Schema(std::vector<TypeShape> shapes) : shapes_(std::move(shapes)) {}

  // Names the fields of the type itself, which then is an object. Requires a type with as many
  // fields.
  void name_fields(std::vector<std::string> names);
  const TypeShape& root() const noexcept { return shapes_.front(); }

  // The schema as JSON, in the dialect 2020-12.
  Json to_json() const;
  // Encodes a value as the type is encoded. Fails with JsonError if it is of another type, and with
  // Errc::bad_encoding if it is nested too deeply.
  void encode(Encoder& out, const JsonReader& value) const { encode(out, value, 0); }
  // Reads an encoded value. Fails with Errc::bad_encoding.
  Json decode(Decoder& in) const { return decode(in, 0); }

 private:
  void encode(Encoder& out, const JsonReader& value, std::size_t shape) const;
  void encode_fields(Encoder& out, const JsonReader& value, const TypeShape& shape) const;
  void encode_map(Encoder& out, const JsonReader& value, const TypeShape& shape) const;
  void encode_variant(Encoder& out, const JsonReader& value, const TypeShape& shape) const;
  Json decode(Decoder& in, std::size_t shape) const;
  Json decode_fields(Decoder& in, const TypeShape& shape) const;
  Json decode_map(Decoder& in, const TypeShape& shape) const;
  Json decode_variant(Decoder& in, const TypeShape& shape) const;
  bool has_text_keys(const TypeShape& map) const noexcept {
    return shapes_[map.parts[0]].kind == TypeKind::text;
  }
  // The types that are written once, under a name, because others refer to them.
  std::vector<bool> named_shapes() const;
  Json reference_to(std::size_t shape, const std::vector<bool>& named) const;
  Json written(std::size_t shape, const std::vector<bool>& named) const;
  void write_fields(Json& out, const TypeShape& shape, const std::vector<bool>& named) const;
  void write_map(Json& out, const TypeShape& shape, const std::vector<bool>& named) const;

  std::vector<TypeShape> shapes_;
};

namespace detail {

using coracle::detail::Number;

template <class T>
concept NamesItsFields = requires {
  std::size(T::field_names);
};

// Collects the shapes of a type and of those within it.
class SchemaMaker {
 public:
  // The number of the shape of T, which is made if it is new.
  template <class T>
  std::size_t add() {
    const auto [known, is_new] = numbers_.try_emplace(&tag<T>, shapes_.size());
    const std::size_t number = known->second;
    if (is_new) {
      shapes_.emplace_back();
      TypeShape made = Describes<T>::shape(*this);
      shapes_[number] = std::move(made);
    }
    return number;
  }
  std::vector<TypeShape> take() && { return std::move(shapes_); }

 private:
  template <class T>
  static constexpr char tag = 0;

  // Each kind of type; this one is for numbers, enumerations and aggregates.
  template <class T>
  struct Describes {
    static TypeShape shape(SchemaMaker& maker) {
      if constexpr (coracle::detail::HasOwnCodec<T>) return {};
      else if constexpr (std::is_enum_v<T>) return whole<std::underlying_type_t<T>>();
      else if constexpr (std::is_same_v<T, bool>) return {TypeKind::truth};
      else if constexpr (std::is_floating_point_v<T>) return {TypeKind::number};
      else if constexpr (std::is_integral_v<T>) return whole<T>();
      else return aggregate<T>(maker);
    }
  };

  template <class T>
  static TypeShape whole() {
    using Limits = std::numeric_limits<T>;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    TypeShape made{TypeKind::whole, static_cast<std::int64_t>(Limits::min()), most};
    if (std::cmp_less(Limits::max(), most)) made.most = static_cast<std::int64_t>(Limits::max());
    return made;
  }
  template <class T>
  static TypeShape aggregate(SchemaMaker& maker) {
    using Fields = decltype(coracle::detail::tie_fields(std::declval<T&>()));
    TypeShape made = Describes<Fields>::shape(maker);
    if constexpr (NamesItsFields<T>) {
      static_assert(std::size(T::field_names) == std::tuple_size_v<Fields>,
                    "coracle: field_names has one name for each field");
      made.names.assign(std::begin(T::field_names), std::end(T::field_names));
    }
    return made;
  }
  template <class... Parts>
  static TypeShape of_parts(SchemaMaker& maker, TypeKind kind) {
    TypeShape made{kind};
    (made.parts.push_back(maker.add<std::remove_cvref_t<Parts>>()), ...);
    return made;
  }

  std::map<const char*, std::size_t> numbers_;
  std::vector<TypeShape> shapes_;
};

template <>
struct SchemaMaker::Describes<std::monostate> {
  static TypeShape shape(SchemaMaker&) { return {TypeKind::nothing}; }
};
template <>
struct SchemaMaker::Describes<std::string> {
  static TypeShape shape(SchemaMaker&) { return {TypeKind::text}; }
};
template <class Allocator>
struct SchemaMaker::Describes<std::vector<std::byte, Allocator>> {
  static TypeShape shape(SchemaMaker&) { return {TypeKind::bytes}; }
};
template <class T, class Allocator>
struct SchemaMaker::Describes<std::vector<T, Allocator>> {
  static TypeShape shape(SchemaMaker& maker) { return of_parts<T>(maker, TypeKind::list); }
};
template <class Key, class T, class... Rest>
struct SchemaMaker::Describes<std::map<Key, T, Rest...>> {
  static TypeShape shape(SchemaMaker& maker) { return of_parts<Key, T>(maker, TypeKind::map); }
};
template <class Key, class T, class... Rest>
struct SchemaMaker::Describes<std::unordered_map<Key, T, Rest...>> {
  static TypeShape shape(SchemaMaker& maker) { return of_parts<Key, T>(maker, TypeKind::map); }
};
template <class T>
struct SchemaMaker::Describes<std::optional<T>> {
  static TypeShape shape(SchemaMaker& maker) { return of_parts<T>(maker, TypeKind::optional); }
};
template <class... Parts>
struct SchemaMaker::Describes<std::tuple<Parts...>> {
  static TypeShape shape(SchemaMaker& maker) { return of_parts<Parts...>(maker, TypeKind::fields); }
};
template <class First, class Second>
struct SchemaMaker::Describes<std::pair<First, Second>> {
  static TypeShape shape(SchemaMaker& maker) {
    return of_parts<First, Second>(maker, TypeKind::fields);
  }
};
template <class T, std::size_t N>
struct SchemaMaker::Describes<std::array<T, N>> {
  static TypeShape shape(SchemaMaker& maker) {
    return {TypeKind::fields, 0, 0, std::vector<std::size_t>(N, maker.add<T>())};
  }
};
template <class... Parts>
struct SchemaMaker::Describes<std::variant<Parts...>> {
  static TypeShape shape(SchemaMaker& maker) {
    return of_parts<Parts...>(maker, TypeKind::variant);
  }
};
template <class Rep, class Period>
struct SchemaMaker::Describes<std::chrono::duration<Rep, Period>> {
  static TypeShape shape(SchemaMaker& maker) { return Describes<Rep>::shape(maker); }
};

}  // namespace detail

// The schema of T.
template <class T>
Schema schema_of() {
  detail::SchemaMaker maker;
  maker.add<T>();
  return Schema(std::move(maker).take());
}

}  // namespace coracle::web
