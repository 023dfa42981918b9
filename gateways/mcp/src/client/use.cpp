#include "coracle/mcp/use.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/json_reader.hpp"

#include <span>
#include <string>

namespace coracle::mcp {

namespace {

// The value in a reply: JSON, or else a text.
web::Json value_of(const Content& reply) {
  if (reply.type() != "application/json") return std::string(reply.text());
  auto value = web::parse_json(reply.text());
  if (!value)
    throw Error(Errc::wrong_type, "the tool's result cannot be read: " + value.error().sentence());
  return *std::move(value);
}

}  // namespace

Content use_content(const web::Schema& schema, const std::vector<std::byte>& arguments) {
  const web::Json value = schema.decode(*cbor_decoder(arguments, {.bytes_per_input_byte = 64}));
  if (value.if_object() == nullptr)
    throw Error(Errc::wrong_type, std::string("the arguments of a tool are an object, not ") +
                                      value.kind() + "; name the fields of their type");
  const std::string text = web::to_text(value);
  return Content::bytes(std::as_bytes(std::span(text)), "application/json");
}

std::vector<std::byte> used_value(const web::Schema& schema, const Content& reply) {
  const web::Json value = value_of(reply);
  // Some servers put a value that is no object into one.
  const web::Json* inner = &value;
  const auto kind = schema.root().kind;
  const bool wants_object = kind == web::TypeKind::map || !schema.root().names.empty();
  if (const auto* const members = value.if_object(); members != nullptr && !wants_object &&
                                                     members->size() == 1 &&
                                                     members->front().name == "result")
    inner = &members->front().value;
  std::vector<std::byte> encoded;
  try {
    schema.encode(*cbor_encoder(encoded), web::JsonReader(*inner, "the result"));
  } catch (const web::JsonError& error) {
    throw Error(Errc::wrong_type, "the tool has another result: " + error.sentence());
  }
  return encoded;
}

}  // namespace coracle::mcp
