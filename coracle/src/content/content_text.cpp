#include "coracle/support/content_text.hpp"

#include "coracle/codec.hpp"
#include "coracle/errors.hpp"
#include "coracle/support/bytes.hpp"
#include "coracle/support/quote.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace coracle::detail {

namespace {

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  const std::string digits = fmt::format("{}", value);
  const bool is_whole = digits.find_first_of(".e") == std::string::npos;
  return is_whole ? digits + ".0" : digits;
}

std::string integer_text(Decoder& decoder) {
  try {
    return std::to_string(decoder.unsigned_integer());
  } catch (const Error&) {  // the number is negative
    return std::to_string(decoder.integer());
  }
}

std::string item_text(Decoder& decoder) {
  switch (decoder.peek()) {
    case Shape::null:
      return decoder.null(), "null";
    case Shape::boolean:
      return decoder.boolean() ? "true" : "false";
    case Shape::integer:
      return integer_text(decoder);
    case Shape::floating:
      return number_text(decoder.floating());
    case Shape::text: {
      const std::string_view text = decoder.text();
      return quoted(text, 4 * text.size() + 2);  // the whole text
    }
    case Shape::bytes:
      return "h'" + hex_text(decoder.bytes()) + "'";
    case Shape::array: {
      std::string text = "[";
      decoder.begin_array();
      for (const char* between = ""; decoder.peek() != Shape::end; between = ", ")
        text += between + item_text(decoder);
      return decoder.end_array(), text + "]";
    }
    case Shape::map: {
      std::string text = "{";
      decoder.begin_map();
      for (const char* between = ""; decoder.peek() != Shape::end; between = ", ") {
        text += between + item_text(decoder);
        text += ": " + item_text(decoder);
      }
      return decoder.end_map(), text + "}";
    }
    case Shape::end:
      break;
  }
  fail_decoding("there is nothing");
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_at(text, at);
    if (character.bytes == 0) return false;
    at += character.bytes;
  }
  return true;
}

}  // namespace

std::string hex_text(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte each : bytes) text += fmt::format("{:02x}", std::to_integer<int>(each));
  return text;
}

std::optional<std::string> cbor_text(std::span<const std::byte> bytes) {
  try {
    const auto decoder = cbor_decoder(bytes);
    std::string text = item_text(*decoder);
    decoder->finish();
    return text;
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool is_text(std::string_view type) noexcept { return type == "text/plain"; }

DecodedContent decoded_content(std::string_view type, std::span<const std::byte> bytes) {
  using Form = DecodedContent::Form;
  const std::string_view text = as_text(bytes);
  const bool may_be_text = is_text(type) || (type.empty() && bytes.empty());
  if (may_be_text && is_utf8(text)) return {Form::text, std::string(text)};
  auto meant = may_be_text ? std::nullopt : cbor_text(bytes);
  if (meant) return {Form::meaning, *std::move(meant)};
  return {Form::bytes, hex_text(bytes)};
}

std::string content_text(std::string_view type, std::span<const std::byte> bytes) {
  const std::string_view text = as_text(bytes);
  if (is_text(type) || (type.empty() && bytes.empty())) return shown(text);
  const bool is_typed = type != "application/octet-stream" && !type.empty();
  const auto meant = is_typed ? cbor_text(bytes) : std::nullopt;
  return "(" + shown(type) + ") " + (meant ? *meant : "h'" + hex_text(bytes) + "'");
}

}  // namespace coracle::detail
