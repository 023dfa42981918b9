// Encodings as text, for tests: the notation of vectors/make_cbor.py, and hexadecimal bytes.
#pragma once

#include "coracle/codec.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::test {

// Bytes as hexadecimal digits.
inline std::string to_hex(std::span<const std::byte> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<unsigned>(byte) >> 4];
    text += digits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

// The bytes that `text`, an even number of hexadecimal digits, stands for.
inline std::vector<std::byte> from_hex(std::string_view text) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(std::byte(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

inline std::string shown_number(double value) {
  if (std::isnan(value)) return "nan";
  std::string text = "f";
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[bits >> shift & 15];
  return text;
}

// Reads the next item, and returns its meaning.
inline std::string shown_item(Decoder& decoder) {
  switch (decoder.peek()) {
    case Shape::null: return decoder.null(), "null";
    case Shape::boolean: return decoder.boolean() ? "true" : "false";
    case Shape::integer:
      try {
        return std::to_string(decoder.unsigned_integer());
      } catch (const std::exception&) {  // negative
        return std::to_string(decoder.integer());
      }
    case Shape::floating: return shown_number(decoder.floating());
    case Shape::text: return "t'" + to_hex(std::as_bytes(std::span(decoder.text()))) + "'";
    case Shape::bytes: return "h'" + to_hex(decoder.bytes()) + "'";
    case Shape::array: {
      std::string text = "[";
      for (std::size_t left = decoder.begin_array(); left > 0; --left) {
        text += shown_item(decoder) + ",";
      }
      decoder.end_array();
      return text + "]";
    }
    case Shape::map: {
      std::string text = "{";
      for (std::size_t left = decoder.begin_map(); left > 0; --left) {
        text += shown_item(decoder) + ":";
        text += shown_item(decoder) + ",";
      }
      decoder.end_map();
      return text + "}";
    }
    case Shape::end: break;
  }
  return "end";
}

// Reads the next item of `decoder`, and writes it to `encoder`.
inline void copy_item(Decoder& decoder, Encoder& encoder) {
  switch (decoder.peek()) {
    case Shape::null: return decoder.null(), encoder.null();
    case Shape::boolean: return encoder.boolean(decoder.boolean());
    case Shape::integer:
      try {
        return encoder.unsigned_integer(decoder.unsigned_integer());
      } catch (const std::exception&) {  // negative
        return encoder.integer(decoder.integer());
      }
    case Shape::floating: return encoder.floating(decoder.floating());
    case Shape::text: return encoder.text(decoder.text());
    case Shape::bytes: return encoder.bytes(decoder.bytes());
    case Shape::array: {
      const std::size_t count = decoder.begin_array();
      encoder.begin_array(count);
      for (std::size_t i = 0; i < count; ++i) copy_item(decoder, encoder);
      return decoder.end_array(), encoder.end_array();
    }
    case Shape::map: {
      const std::size_t count = decoder.begin_map();
      encoder.begin_map(count);
      for (std::size_t i = 0; i < 2 * count; ++i) copy_item(decoder, encoder);
      return decoder.end_map(), encoder.end_map();
    }
    case Shape::end: break;
  }
}

}  // namespace coracle::test
