#include "server/contents.hpp"

#include "model/protocol.hpp"

#include "coracle/codec.hpp"
#include "coracle/support/content_text.hpp"
#include "coracle/support/glob.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/base64.hpp"
#include "coracle/web/json_codec.hpp"
#include "coracle/web/json_reader.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace coracle::mcp {

namespace {

std::span<const std::byte> bytes_in(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// Returns whether a type is one of media, and not one by which parts of the library talk.
bool is_of_media(std::string_view type) noexcept {
  constexpr std::array<std::string_view, 7> kinds = {"text/", "image/", "audio/",      "video/",
                                                     "font/", "model/", "application/"};
  for (const std::string_view each : kinds)
    if (type.starts_with(each)) return true;
  return false;
}

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = coracle::detail::utf8_at(text, at).bytes;
    if (bytes == 0) return false;
    at += bytes;
  }
  return true;
}

Content typed(const web::JsonReader& value, const std::string& type) {
  std::vector<std::byte> bytes;
  try {
    web::encode_json(*cbor_encoder(bytes), value.value());
  } catch (const Error& error) {
    value.fail("cannot be encoded: " + error.sentence());
  }
  return Content::bytes(bytes, type);
}

// A block with the bytes in base64.
Json block_of(std::string_view kind, std::string_view type, std::string_view bytes) {
  Json block;
  block.set("type", kind).set("data", web::to_base64(bytes)).set("mimeType", type);
  return block;
}

ToolResult file_of(std::string_view type, std::string_view bytes) {
  ToolResult result;
  if (type.starts_with("image/") || type.starts_with("audio/")) {
    result.content.push_back(block_of(type.substr(0, type.find('/')), type, bytes));
    return result;
  }
  Json resource, block;
  resource.set("uri", "society://answer").set("mimeType", type).set("blob", web::to_base64(bytes));
  block.set("type", "resource").set("resource", std::move(resource));
  result.content.push_back(std::move(block));
  return result;
}

}  // namespace

Json ask_schema() {
  const auto member = [](const char* type, const char* text) {
    Json made = Json(Json::Object());
    if (type != nullptr) made.set("type", type);
    return made.set("description", text);
  };
  Json properties, schema;
  properties.set("text", member("string", "The text to send"))
      .set("json", member(nullptr, "Instead of a text, any value of JSON to send"))
      .set("type", member("string",
                          "With json: the society's own type of the value, as in plan/v1; without "
                          "it, application/json"));
  schema.set("type", "object")
      .set("properties", std::move(properties))
      .set("additionalProperties", false);
  return schema;
}

Content asked_content(const Json& arguments, const std::vector<std::string>& types) {
  const web::JsonReader all(arguments, "arguments");
  if (arguments.is_null()) all.fail("need the member 'text' or the member 'json'");
  for (const Json::Member& each : *all.object().if_object())
    if (each.name != "text" && each.name != "json" && each.name != "type")
      all.fail("have a member of an unknown name; 'text', 'json' and 'type' are known");
  const auto text = all.find("text");
  const Json* const json = arguments.find("json");
  if (text.has_value() == (json != nullptr))
    all.fail("need the member 'text' or the member 'json', and not both");
  const std::string type = all.text_or_empty("type");
  if (text) {
    if (!type.empty()) all.fail("have 'type', which goes with 'json' only");
    return Content(text->text());
  }
  if (type.empty() || type == json_type)
    return Content::bytes(bytes_in(web::to_text(*json)), json_type);
  if (type.size() > max_content_type_bytes || !coracle::detail::is_plain(type) ||
      is_of_media(type) || !coracle::detail::fits_one(types, type))
    all.at("type").fail("is none that clients may send here");
  return typed(web::JsonReader(*json, "arguments.json"), type);
}

ToolResult answered(const Content& content) {
  const std::string type(content.type());
  if (type == json_type) {
    if (auto value = web::parse_json(content.text())) return ToolResult::value(*std::move(value));
  }
  if (type.empty() || (coracle::detail::is_text(type) && is_utf8(content.text())))
    return ToolResult::text(std::string(content.text()));
  if (!is_of_media(type)) {
    auto value = web::decoded_json(content.bytes());
    if (value) return ToolResult::value(*std::move(value));
  }
  return file_of(type, content.text());
}

}  // namespace coracle::mcp
