// One step of libcbor's streaming decoder, as a value.
#pragma once

#include <cbor/callbacks.h>
#include <cbor/streaming.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace coracle::cbor {

enum class Kind : std::uint8_t {
  null, boolean, positive, negative, floating, text, bytes, array, map, tag, stop,
};

// The head of an item, and the bytes of a definite string.
struct Token {
  Kind kind = Kind::null;
  bool indefinite = false;
  std::uint64_t number = 0;  // also a truth value, a count, n of a negative number -1 - n
  double real = 0;
  std::span<const std::byte> data;
  std::size_t read = 0;
};

inline Token& token(void* context) { return *static_cast<Token*>(context); }

template <Kind kind, class Number>
void on_number(void* context, Number number) {
  token(context).kind = kind;
  token(context).number = number;
}

template <class Real>
void on_real(void* context, Real real) {
  token(context).kind = Kind::floating;
  token(context).real = static_cast<double>(real);
}

template <Kind kind>
void on_data(void* context, cbor_data data, std::size_t size) {
  token(context).kind = kind;
  token(context).data = std::as_bytes(std::span(data, size));
}

template <Kind kind>
void on_report(void* context) {
  token(context).kind = kind;
}

template <Kind kind>
void on_indefinite(void* context) {
  token(context).kind = kind;
  token(context).indefinite = true;
}

constexpr cbor_callbacks callbacks() {
  cbor_callbacks calls{};
  calls.uint8 = on_number<Kind::positive, std::uint8_t>;
  calls.uint16 = on_number<Kind::positive, std::uint16_t>;
  calls.uint32 = on_number<Kind::positive, std::uint32_t>;
  calls.uint64 = on_number<Kind::positive, std::uint64_t>;
  calls.negint8 = on_number<Kind::negative, std::uint8_t>;
  calls.negint16 = on_number<Kind::negative, std::uint16_t>;
  calls.negint32 = on_number<Kind::negative, std::uint32_t>;
  calls.negint64 = on_number<Kind::negative, std::uint64_t>;
  calls.byte_string_start = on_indefinite<Kind::bytes>;
  calls.byte_string = on_data<Kind::bytes>;
  calls.string = on_data<Kind::text>;
  calls.string_start = on_indefinite<Kind::text>;
  calls.indef_array_start = on_indefinite<Kind::array>;
  calls.array_start = on_number<Kind::array, std::size_t>;
  calls.map_start = on_number<Kind::map, std::size_t>;
  calls.tag = on_number<Kind::tag, std::uint64_t>;
  calls.float2 = on_real<float>;
  calls.float4 = on_real<float>;
  calls.float8 = on_real<double>;
  calls.undefined = on_report<Kind::null>;
  calls.null = on_report<Kind::null>;
  calls.boolean = on_number<Kind::boolean, bool>;
  calls.indef_break = on_report<Kind::stop>;
  calls.indef_map_start = on_indefinite<Kind::map>;
  return calls;
}

inline constexpr cbor_callbacks token_callbacks = callbacks();

}  // namespace coracle::cbor
