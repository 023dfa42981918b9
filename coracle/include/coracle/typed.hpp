// Typed content: C++ values inside a process, CBOR between processes. Aggregates of up to 16 fields
// need only a name:
//
//   struct Plan {
//     static constexpr std::string_view content_type = "plan/v1";
//     std::string goal;
//     std::vector<Step> steps;  // another aggregate; only a type that is sent itself needs a name
//   };
//   Content content = Content::of(Plan{…});   const Plan& plan = content.as<Plan>();
//
// Fields may be added at the end: missing fields keep their defaults, unknown fields are passed
// over.
// Tests: coracle/tests/content/typed_test.cpp.
#pragma once

#include "coracle/codec.hpp"
#include "coracle/content.hpp"
#include "coracle/detail/pool.hpp"
#include "coracle/detail/type_codec.hpp"
#include "coracle/errors.hpp"

#include <algorithm>
#include <memory>
#include <new>

namespace coracle {

// Bytes as a value, for fields and for Content::of.
using Bytes = std::vector<std::byte>;

// The name of T as content; specialize it where T cannot have a member `content_type`:
//   template <> struct coracle::ContentType<Plan> {
//     static constexpr std::string_view name = "plan/v1";
//   };
template <class T>
struct ContentType {};

namespace detail {

template <class T>
consteval std::string_view find_content_type() {
  if constexpr (requires { ContentType<T>::name; }) return ContentType<T>::name;
  else if constexpr (requires { T::content_type; }) return T::content_type;
  else if constexpr (std::is_same_v<T, bool>) return "boolean";
  else if constexpr (std::is_integral_v<T>) return "integer";
  else if constexpr (Number<T>) return "floating";
  else if constexpr (std::is_same_v<T, std::string>) return "text/plain";
  else if constexpr (std::is_same_v<T, Bytes>) return "application/octet-stream";
  else return {};
}

}  // namespace detail

// The name under which a T is sent.
template <class T>
consteval std::string_view content_type_of() {
  constexpr std::string_view name = detail::find_content_type<T>();
  static_assert(!name.empty(),
                "coracle: this type has no content-type name; write `static constexpr "
                "std::string_view content_type = \"plan/v1\";` in it, or specialize "
                "coracle::ContentType for it (text is sent as Content(text) or std::string)");
  static_assert(name.size() <= max_content_type_bytes,
                "coracle: a content-type name has at most 127 bytes");
  return name;
}

namespace detail {

// Types whose bytes are their encoding.
template <class T>
concept IsItsBytes = std::is_same_v<T, std::string> || std::is_same_v<T, Bytes>;

template <class T>
void destroy_value(void* value) noexcept {
  static_cast<T*>(value)->~T();
}

template <class T>
std::span<const std::byte> view_value(const void* value) noexcept {
  return std::as_bytes(std::span(*static_cast<const T*>(value)));
}

template <class T>
void encode_value(const void* value, std::vector<std::byte>& out) {
  Codec<T>::encode(*cbor_encoder(out), *static_cast<const T*>(value));
}

template <class T>
constexpr ContentKind make_typed_kind() {
  static_assert(alignof(T) <= 16, "coracle: content is aligned to 16 bytes at most");
  constexpr std::size_t offset = (sizeof(ContentBlock) + alignof(T) - 1) / alignof(T) * alignof(T);
  ContentKind kind;
  kind.name = content_type_of<T>();
  kind.value_offset = offset;
  kind.block_bytes = offset + sizeof(T);
  if constexpr (!std::is_trivially_destructible_v<T>) kind.destroy = destroy_value<T>;
  if constexpr (IsItsBytes<T>) kind.view = view_value<T>;
  else kind.encode = encode_value<T>;
  return kind;
}

template <class T>
inline constexpr ContentKind typed_kind = make_typed_kind<T>();

// A value that was decoded from a block's bytes, kept with the block.
template <class T>
class Decoded final : public ContentExtra {
 public:
  Decoded() : ContentExtra(&typed_kind<T>) {}
  T value{};
};

template <class T>
void decode_value(std::span<const std::byte> bytes, T& value) {
  if constexpr (IsItsBytes<T>) {
    const auto* data = reinterpret_cast<const typename T::value_type*>(bytes.data());
    value.assign(data, data + bytes.size());
  } else {
    // A value whose encoding is complete always fits this limit, even a vector of many short
    // strings.
    constexpr std::size_t growth = std::max(DecodeLimits{}.bytes_per_input_byte, growth_of<T>());
    const auto decoder = cbor_decoder(bytes, {.bytes_per_input_byte = growth});
    try {
      Codec<T>::decode(*decoder, value);
      decoder->finish();
    } catch (const Error& failure) {
      fail_decoding_at(failure, content_type_of<T>(), *decoder);
    }
  }
}

// The value that was given to Content::of<T>, or nullptr.
template <class T>
const T* held_value(const ContentBlock* block) noexcept {
  if (block == nullptr || block->kind != &typed_kind<T>) return nullptr;
  return static_cast<const T*>(block->value());
}

// The value decoded from a block whose type has T's name.
template <class T>
const T& decoded_value(ContentBlock* block) {
  const ContentExtra* kept = block->find(&typed_kind<T>);
  if (kept == nullptr) {
    auto decoded = std::make_unique<Decoded<T>>();
    decode_value(block->bytes(), decoded->value);
    kept = block->keep(decoded.release());
  }
  return static_cast<const Decoded<T>*>(kept)->value;
}

}  // namespace detail

template <class T>
Content Content::of(T value) {
  const detail::ContentKind& kind = detail::typed_kind<T>;
  const std::size_t bytes = sizeof(T) + detail::Codec<T>::heap_bytes(value);
  const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(bytes, UINT32_MAX));
  void* memory = detail::pool_allocate(kind.block_bytes);
  Content content = adopt(new (memory) detail::ContentBlock(size, &kind));
  // A move that throws would leave a block without a value.
  static_assert(std::is_nothrow_move_constructible_v<T>,
                "coracle: content must be movable without exceptions");
  new (static_cast<std::byte*>(memory) + kind.value_offset) T(std::move(value));
  return content;
}

template <class T>
const T& Content::as() const {
  if (const T* held = detail::held_value<T>(block_)) return *held;
  constexpr std::string_view name = content_type_of<T>();
  if (block_ == nullptr || type() != name) detail::fail_wrong_type(type(), name);
  return detail::decoded_value<T>(block_);
}

template <class T>
const T* Content::try_as() const noexcept {
  if (const T* held = detail::held_value<T>(block_)) return held;
  if (block_ == nullptr || type() != content_type_of<T>()) return nullptr;
  try {
    return &detail::decoded_value<T>(block_);
  } catch (...) {
    return nullptr;
  }
}

}  // namespace coracle
