#include "coracle/web/json_codec.hpp"

#include "coracle/errors.hpp"
#include "coracle/web/base64.hpp"

#include <string>
#include <utility>

namespace coracle::web {

namespace {

// A whole number; beyond 63 bits, the nearest double.
Json number_in(Decoder& in) {
  try {
    return in.integer();
  } catch (const Error&) {
    return in.floating();
  }
}

Json items_in(Decoder& in) {
  Json::Array items;
  in.begin_array();
  while (in.peek() != Shape::end) {
    in.charge(sizeof(Json));
    items.push_back(decode_json(in));
  }
  in.end_array();
  return items;
}

Json members_in(Decoder& in) {
  Json::Object members;
  in.begin_map();
  while (in.peek() != Shape::end) {
    in.charge(sizeof(Json::Member));
    const Json key = decode_json(in);
    std::string name = key.if_text() != nullptr ? *key.if_text() : to_text(key);
    members.push_back({std::move(name), decode_json(in)});
  }
  in.end_map();
  return members;
}

}  // namespace

void encode_json(Encoder& out, const Json& value) {
  if (const auto truth = value.if_truth()) return out.boolean(*truth);
  if (const auto whole = value.if_whole()) return out.integer(*whole);
  if (const auto number = value.if_number()) return out.floating(*number);
  if (const std::string* const text = value.if_text()) return out.text(*text);
  if (const Json::Array* const items = value.if_array()) {
    out.begin_array(items->size());
    for (const Json& each : *items) encode_json(out, each);
    return out.end_array();
  }
  if (const Json::Object* const members = value.if_object()) {
    out.begin_map(members->size());
    for (const Json::Member& each : *members) {
      out.text(each.name);
      encode_json(out, each.value);
    }
    return out.end_map();
  }
  out.null();
}

Json decode_json(Decoder& in) {
  switch (in.peek()) {
    case Shape::boolean:
      return in.boolean();
    case Shape::integer:
      return number_in(in);
    case Shape::floating:
      return in.floating();
    case Shape::text:
      return std::string(in.text());
    case Shape::bytes: {
      const auto bytes = in.bytes();
      return to_base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    case Shape::array:
      return items_in(in);
    case Shape::map:
      return members_in(in);
    case Shape::null:
    case Shape::end:
      break;
  }
  in.null();
  return {};
}

std::optional<Json> decoded_json(std::span<const std::byte> bytes) {
  // The memory of values is charged above, so that a short encoding of many of them is accepted.
  constexpr std::size_t growth = sizeof(Json::Member);
  try {
    const auto in = cbor_decoder(bytes, {.bytes_per_input_byte = growth});
    Json value = decode_json(*in);
    in->finish();
    return value;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace coracle::web
