// Values of types as JSON.
#include "coracle/web/schema.hpp"

#include "coracle/errors.hpp"
#include "coracle/web/base64.hpp"
#include "coracle/web/json_codec.hpp"

#include <span>

namespace coracle::web {

namespace {

double number_of(const JsonReader& value) {
  const auto number = value.value().if_number();
  if (!number) value.fail(std::string("has to be a number, not ") + value.value().kind());
  return *number;
}

std::string bytes_of(const JsonReader& value) {
  auto bytes = from_base64(value.text());
  if (!bytes) value.fail("has to be text in base64");
  return *std::move(bytes);
}

}  // namespace

void Schema::encode(Encoder& out, const JsonReader& value, std::size_t number) const {
  const TypeShape& shape = shapes_[number];
  switch (shape.kind) {
    case TypeKind::any:
      return encode_json(out, value.value());
    case TypeKind::nothing:
      if (!value.value().is_null()) value.fail("has to be null");
      return out.null();
    case TypeKind::truth:
      return out.boolean(value.truth());
    case TypeKind::whole:
      return out.integer(value.whole(shape.least, shape.most));
    case TypeKind::number:
      return out.floating(number_of(value));
    case TypeKind::text:
      return out.text(value.text());
    case TypeKind::bytes: {
      const std::string bytes = bytes_of(value);
      return out.bytes(std::as_bytes(std::span(bytes)));
    }
    case TypeKind::list: {
      const std::vector<JsonReader> items = value.items(JsonLimits().values);
      out.begin_array(items.size());
      for (const JsonReader& each : items) encode(out, each, shape.parts[0]);
      return out.end_array();
    }
    case TypeKind::fields:
      return encode_fields(out, value, shape);
    case TypeKind::map:
      return encode_map(out, value, shape);
    case TypeKind::optional:
      return value.value().is_null() ? out.null() : encode(out, value, shape.parts[0]);
    case TypeKind::variant:
      return encode_variant(out, value, shape);
  }
}

void Schema::encode_fields(Encoder& out, const JsonReader& value, const TypeShape& shape) const {
  if (shape.names.empty()) {
    const std::vector<JsonReader> items = value.items(shape.parts.size());
    if (items.size() != shape.parts.size())
      value.fail("has to have " + std::to_string(shape.parts.size()) + " items");
    out.begin_array(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) encode(out, items[i], shape.parts[i]);
    return out.end_array();
  }
  const Json none;
  for (const Json::Member& each : *value.object().if_object()) {
    bool is_known = false;
    for (const std::string& name : shape.names) is_known = is_known || name == each.name;
    if (!is_known) value.fail("has a member of an unknown name");
  }
  out.begin_array(shape.parts.size());
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    const bool may_be_missing = shapes_[shape.parts[i]].kind == TypeKind::optional ||
                                shapes_[shape.parts[i]].kind == TypeKind::nothing;
    const Json* const found = value.value().find(shape.names[i]);
    if (found == nullptr && !may_be_missing)
      value.fail("needs the member '" + shape.names[i] + "'");
    const std::string place =
        value.place().empty() ? shape.names[i] : value.place() + "." + shape.names[i];
    encode(out, JsonReader(found == nullptr ? none : *found, place), shape.parts[i]);
  }
  out.end_array();
}

void Schema::encode_map(Encoder& out, const JsonReader& value, const TypeShape& shape) const {
  if (has_text_keys(shape)) {
    const Json::Object& members = *value.object().if_object();
    out.begin_map(members.size());
    for (const Json::Member& each : members) {
      out.text(each.name);
      encode(out, JsonReader(each.value, value.place() + "{}"), shape.parts[1]);
    }
    return out.end_map();
  }
  const std::vector<JsonReader> pairs = value.items(JsonLimits().values);
  out.begin_map(pairs.size());
  for (const JsonReader& each : pairs) {
    const std::vector<JsonReader> both = each.items(2);
    if (both.size() != 2) each.fail("has to be a key and a value");
    encode(out, both[0], shape.parts[0]);
    encode(out, both[1], shape.parts[1]);
  }
  out.end_map();
}

void Schema::encode_variant(Encoder& out, const JsonReader& value, const TypeShape& shape) const {
  const std::vector<JsonReader> both = value.items(2);
  if (both.size() != 2) value.fail("has to be the number of a type and a value");
  const auto which = both[0].whole(0, static_cast<std::int64_t>(shape.parts.size()) - 1);
  out.begin_array(2);
  out.integer(which);
  encode(out, both[1], shape.parts[static_cast<std::size_t>(which)]);
  out.end_array();
}

Json Schema::decode(Decoder& in, std::size_t number) const {
  const TypeShape& shape = shapes_[number];
  switch (shape.kind) {
    case TypeKind::truth:
      return in.boolean();
    case TypeKind::number:
      return in.floating();
    case TypeKind::text:
      return std::string(in.text());
    case TypeKind::nothing:
      in.null();
      return {};
    case TypeKind::list: {
      Json::Array items;
      in.begin_array();
      while (in.peek() != coracle::Shape::end) {
        in.charge(sizeof(Json));
        items.push_back(decode(in, shape.parts[0]));
      }
      in.end_array();
      return items;
    }
    case TypeKind::fields:
      return decode_fields(in, shape);
    case TypeKind::map:
      return decode_map(in, shape);
    case TypeKind::optional:
      if (in.peek() != coracle::Shape::null) return decode(in, shape.parts[0]);
      in.null();
      return {};
    case TypeKind::variant:
      return decode_variant(in, shape);
    case TypeKind::any:
    case TypeKind::whole:
    case TypeKind::bytes:
      break;
  }
  return decode_json(in);
}

Json Schema::decode_fields(Decoder& in, const TypeShape& shape) const {
  Json all = shape.names.empty() ? Json(Json::Array()) : Json(Json::Object());
  in.begin_array();
  for (std::size_t i = 0; i < shape.parts.size() && in.peek() != coracle::Shape::end; ++i) {
    Json value = decode(in, shape.parts[i]);
    if (shape.names.empty()) all.push(std::move(value));
    else all.set(shape.names[i], std::move(value));
  }
  in.end_array();
  return all;
}

Json Schema::decode_map(Decoder& in, const TypeShape& shape) const {
  Json::Object members;
  Json::Array pairs;
  const bool is_object = has_text_keys(shape);
  in.begin_map();
  while (in.peek() != coracle::Shape::end) {
    in.charge(sizeof(Json::Member));
    Json key = decode(in, shape.parts[0]);
    Json value = decode(in, shape.parts[1]);
    if (is_object) members.push_back({*key.if_text(), std::move(value)});
    else pairs.emplace_back(Json::Array{std::move(key), std::move(value)});
  }
  in.end_map();
  return is_object ? Json(std::move(members)) : Json(std::move(pairs));
}

Json Schema::decode_variant(Decoder& in, const TypeShape& shape) const {
  in.begin_array();
  const std::uint64_t which = in.unsigned_integer();
  if (which >= shape.parts.size())
    coracle::detail::fail_decoding("a variant has no such alternative");
  Json value = decode(in, shape.parts[which]);
  in.end_array();
  Json::Array both;
  both.emplace_back(which);
  both.push_back(std::move(value));
  return both;
}

}  // namespace coracle::web
