// Values of JSON in the society's own encoding, as typed contents have it.
// Tests: gateways/web/tests/schema_test.cpp
#pragma once

#include "coracle/codec.hpp"
#include "coracle/web/json.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace coracle::web {

// Writes a value: an object becomes a map. Fails with Errc::bad_encoding if it is nested more than
// max_codec_depth deep.
void encode_json(Encoder& out, const Json& value);
// Reads any value. Bytes become text in base64, and keys of a map that are no texts become texts of
// JSON. Fails with Errc::bad_encoding.
Json decode_json(Decoder& in);
// Reads a whole encoding; nothing if the bytes are none.
std::optional<Json> decoded_json(std::span<const std::byte> bytes);

}  // namespace coracle::web
