#include "server/contents.hpp"

#include "coracle/a2a/fault.hpp"
#include "coracle/a2a/model_json.hpp"
#include "coracle/codec.hpp"
#include "coracle/support/content_text.hpp"
#include "coracle/support/glob.hpp"
#include "coracle/support/quote.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <span>

namespace coracle::a2a {

namespace {

bool is_text(std::string_view type) noexcept { return type.starts_with("text/"); }

std::span<const std::byte> bytes_in(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string lower_case(std::string text) {
  for (char& each : text)
    if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
  return text;
}

// Returns whether content of that type may come from outside without being listed: types of media,
// but not those by which parts of the library talk with each other.
bool is_of_media(std::string_view type) noexcept {
  constexpr std::array<std::string_view, 7> kinds = {"text/", "image/", "audio/",      "video/",
                                                     "font/", "model/", "application/"};
  for (const std::string_view each : kinds)
    if (type.starts_with(each)) return true;
  return false;
}

bool may_come(const std::string& type, const std::vector<std::string>& types) noexcept {
  return type.size() <= max_content_type_bytes && coracle::detail::is_plain(type) &&
         (is_of_media(type) || coracle::detail::fits_one(types, type));
}

bool is_utf8_text(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = coracle::detail::utf8_at(text, at).bytes;
    if (bytes == 0) return false;
    at += bytes;
  }
  return true;
}

void encode(Encoder& out, const Json& value) {
  if (const auto truth = value.if_truth()) return out.boolean(*truth);
  if (const auto whole = value.if_whole()) return out.integer(*whole);
  if (const auto number = value.if_number()) return out.floating(*number);
  if (const std::string* const text = value.if_text()) return out.text(*text);
  if (const Json::Array* const items = value.if_array()) {
    out.begin_array(items->size());
    for (const Json& each : *items) encode(out, each);
    return out.end_array();
  }
  if (const Json::Object* const members = value.if_object()) {
    out.begin_map(members->size());
    for (const Json::Member& each : *members) {
      out.text(each.name);
      encode(out, each.value);
    }
    return out.end_map();
  }
  out.null();
}

Json decode(Decoder& in) {
  switch (in.peek()) {
    case Shape::boolean:
      return in.boolean();
    case Shape::integer:
      return in.integer();
    case Shape::floating:
      return in.floating();
    case Shape::text:
      return std::string(in.text());
    case Shape::bytes:
      return coracle::detail::hex_text(in.bytes());
    case Shape::array: {
      Json::Array items;
      in.begin_array();
      while (in.peek() != Shape::end) items.push_back(decode(in));
      in.end_array();
      return items;
    }
    case Shape::map: {
      Json::Object members;
      in.begin_map();
      while (in.peek() != Shape::end) {
        const Json key = decode(in);
        const std::string name = key.if_text() != nullptr ? *key.if_text() : web::to_text(key);
        members.push_back({name, decode(in)});
      }
      in.end_map();
      return members;
    }
    case Shape::null:
    case Shape::end:
      break;
  }
  in.null();
  return {};
}

std::optional<Json> value_of(std::span<const std::byte> bytes) {
  try {
    const auto in = cbor_decoder(bytes);
    Json value = decode(*in);
    in->finish();
    return value;
  } catch (const Error&) {
    return std::nullopt;  // it goes as bytes
  }
}

// A value of one of the society's own types, as it is sent between processes; nothing if it is
// nested too deeply for that.
std::optional<Content> typed_content(const Json& value, const std::string& type) {
  std::vector<std::byte> bytes;
  try {
    encode(*cbor_encoder(bytes), value);
  } catch (const Error&) {
    return std::nullopt;
  }
  return Content::bytes(bytes, type);
}

// The content of a message with that part alone; nothing if the whole message is needed.
std::optional<Content> content_of(const Part& part, const std::vector<std::string>& types) {
  const std::string type = lower_case(part.media_type);
  if (!part.filename.empty() || !part.metadata.is_null()) return std::nullopt;
  if (const auto* const text = std::get_if<std::string>(&part.content)) {
    if (type.empty() || type == "text/plain") return Content(*text);
    if (may_come(type, types) && is_text(type)) return Content::bytes(bytes_in(*text), type);
    return std::nullopt;
  }
  if (const auto* const raw = std::get_if<Raw>(&part.content)) {
    if (type.empty()) return Content::bytes(bytes_in(raw->bytes));
    if (may_come(type, types)) return Content::bytes(bytes_in(raw->bytes), type);
    return std::nullopt;
  }
  const auto* const data = std::get_if<Json>(&part.content);
  if (data == nullptr) return std::nullopt;
  if (type.empty() || type == "application/json")
    return Content::bytes(bytes_in(web::to_text(*data)), "application/json");
  if (!is_of_media(type) && may_come(type, types)) return typed_content(*data, type);
  return std::nullopt;
}

std::vector<Part> parts_of_message(const Content& content) {
  try {
    web::JsonLimits limits;
    limits.bytes = most_message_bytes;
    const Json whole = web::parse_json(content.text(), limits).value();
    const web::JsonReader reader(whole);
    std::vector<Part> parts;
    for (const web::JsonReader& each : reader.at("parts").items(most_message_parts))
      parts.push_back(read<Part>(each));
    if (parts.empty()) reader.fail("has no parts");
    return parts;
  } catch (const Error& error) {
    throw Fault(FaultKind::invalid_agent_response,
                "the agent has sent a message that cannot be read: " + error.sentence());
  }
}

}  // namespace

Content content_of(const Message& message, const std::vector<std::string>& types) {
  if (message.parts.size() == 1) {
    if (auto content = content_of(message.parts.front(), types)) return *std::move(content);
  }
  return Content::bytes(bytes_in(web::to_text(to_json(message))), message_type);
}

std::vector<Part> parts_of(const Content& content) {
  const std::string type(content.type());
  if (type == message_type) return parts_of_message(content);
  Part part;
  if (type.empty() || type == "text/plain") {
    part.content = std::string(content.text());
  } else if (type == "application/json") {
    auto value = web::parse_json(content.text());
    if (value) part.content = *std::move(value);
    else part.content = std::string(content.text());
    part.media_type = type;
  } else if (is_text(type) && is_utf8_text(content.text())) {
    part.content = std::string(content.text());
    part.media_type = type;
  } else {
    std::optional<Json> value;
    if (!is_of_media(type)) value = value_of(content.bytes());
    if (value) part.content = *std::move(value);
    else part.content = Raw{std::string(content.text())};
    if (type != "application/octet-stream") part.media_type = type;
  }
  std::vector<Part> parts;
  parts.push_back(std::move(part));
  return parts;
}

}  // namespace coracle::a2a
