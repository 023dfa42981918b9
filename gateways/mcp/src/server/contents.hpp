// Arguments and results of tools as contents of the society's messages.
// Tests: gateways/mcp/tests/gateway_test.cpp
#pragma once

#include "coracle/mcp/tool.hpp"

#include "coracle/content.hpp"

#include <string>
#include <vector>

namespace coracle::mcp {

// The JSON Schema of the arguments of a tool by which an agent is asked.
Json ask_schema();
// The content for an agent: the argument `text` as a text; or `json` as JSON, or as a value of the
// society's own type `type` if one of the patterns `types` permits it. Fails with web::JsonError.
Content asked_content(const Json& arguments, const std::vector<std::string>& types);
// An agent's answer as the result of a tool.
ToolResult answered(const Content& content);

}  // namespace coracle::mcp
