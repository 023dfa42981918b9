// The tools that the conformance suite of MCP uses.
#include "coracle/mcp/gateway.hpp"
#include "coracle/web/talk.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace {

using namespace coracle;
using web::Json;

constexpr const char* pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg"
    "==";
constexpr const char* silence = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

Json text_block(const char* text) { return Json().set("type", "text").set("text", text); }

Json file_block(const char* kind, const char* data, const char* type) {
  return Json().set("type", kind).set("data", data).set("mimeType", type);
}

Json resource_block(const char* uri, const char* type, const char* text) {
  Json resource;
  resource.set("uri", uri).set("mimeType", type).set("text", text);
  return Json().set("type", "resource").set("resource", std::move(resource));
}

mcp::ToolInfo info_for(const char* name) {
  mcp::ToolInfo info{name};
  info.description = "A tool of the conformance suite";
  info.input.set("type", "object").set("additionalProperties", false);
  return info;
}

void add_fixed(mcp::Gateway& gateway, const char* name, Json::Array content) {
  gateway.add(info_for(name), [content = std::move(content)](Agent&, mcp::ToolUse) {
    return [](Json::Array blocks) -> Task<mcp::ToolResult> {
      mcp::ToolResult result;
      result.content = std::move(blocks);
      co_return result;
    }(content);
  });
}

Task<mcp::ToolResult> fail(Agent&, mcp::ToolUse) {
  throw Error(Errc::refused, "This tool intentionally returns an error for testing");
  co_return mcp::ToolResult();
}

Task<mcp::ToolResult> progress(Agent& me, mcp::ToolUse use) {
  for (const double done : {0.0, 50.0, 100.0}) {
    use.show({"", done, 100});
    co_await me.pause(std::chrono::milliseconds(50));
  }
  co_return mcp::ToolResult::text("worked");
}

mcp::ToolInfo schema_tool() {
  Json street, address, definitions, properties, text = Json().set("type", "string");
  street.set("street", text).set("city", text);
  address.set("type", "object").set("properties", std::move(street));
  definitions.set("address", std::move(address));
  properties.set("name", text).set("address", Json().set("$ref", "#/$defs/address"));
  mcp::ToolInfo info{"json_schema_2020_12_tool"};
  info.description = "Tool with JSON Schema 2020-12 features";
  info.input.set("$schema", "https://json-schema.org/draft/2020-12/schema")
      .set("type", "object")
      .set("$defs", std::move(definitions))
      .set("properties", std::move(properties))
      .set("additionalProperties", false);
  return info;
}

}  // namespace

void add_conformance_tools(mcp::Gateway& gateway) {
  const Json text = text_block("This is a simple text response for testing.");
  const Json image = file_block("image", pixel, "image/png");
  add_fixed(gateway, "test_simple_text", {text});
  add_fixed(gateway, "test_image_content", {image});
  add_fixed(gateway, "test_audio_content", {file_block("audio", silence, "audio/wav")});
  add_fixed(gateway, "test_embedded_resource",
            {resource_block("test://embedded-resource", "text/plain", "This is a resource.")});
  add_fixed(gateway, "test_multiple_content_types",
            {text, image,
             resource_block("test://mixed", "application/json", R"({"test":"data","value":123})")});
  gateway.add(info_for("test_error_handling"), fail);
  gateway.add(info_for("test_tool_with_progress"), progress);
  gateway.add(schema_tool(), [](Agent&, mcp::ToolUse) -> Task<mcp::ToolResult> {
    co_return mcp::ToolResult::text("done");
  });
}
