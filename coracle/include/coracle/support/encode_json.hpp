// Encodes values of JSON. Tests: tools/tests/content_json_test.cpp
#pragma once

#include "coracle/codec.hpp"

#include <string_view>

namespace coracle::detail {

// Encodes a value of Boost.JSON, for those who use that library. A parser has limited its depth.
template <class Json>
void encode_json(Encoder& encoder, const Json& value) {
  using Kind = decltype(value.kind());
  switch (value.kind()) {
    case Kind::null:
      return encoder.null();
    case Kind::bool_:
      return encoder.boolean(value.get_bool());
    case Kind::int64:
      return encoder.integer(value.get_int64());
    case Kind::uint64:
      return encoder.unsigned_integer(value.get_uint64());
    case Kind::double_:
      return encoder.floating(value.get_double());
    case Kind::string:
      return encoder.text(std::string_view(value.get_string()));
    case Kind::array:
      encoder.begin_array(value.get_array().size());
      for (const Json& each : value.get_array()) encode_json(encoder, each);
      return encoder.end_array();
    case Kind::object:
      encoder.begin_map(value.get_object().size());
      for (const auto& [key, each] : value.get_object()) {
        encoder.text(std::string_view(key));
        encode_json(encoder, each);
      }
      return encoder.end_map();
  }
}

}  // namespace coracle::detail
