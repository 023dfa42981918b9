#include "coracle/mcp/tool.hpp"

#include <utility>

namespace coracle::mcp {

ToolResult ToolResult::text(std::string text) {
  ToolResult result;
  Json block;
  block.set("type", "text").set("text", std::move(text));
  result.content.push_back(std::move(block));
  return result;
}

ToolResult ToolResult::value(Json value) {
  ToolResult result = text(web::to_text(value));
  result.structured = std::move(value);
  return result;
}

ToolResult ToolResult::failure(std::string why) {
  ToolResult result = text(std::move(why));
  result.is_error = true;
  return result;
}

}  // namespace coracle::mcp
