// A tool that assistants can use, and the result of its use.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/web/json.hpp"
#include "coracle/web/talk.hpp"

#include <functional>
#include <optional>
#include <string>

namespace coracle::mcp {

using web::Json;

// The description of a tool. All texts are for assistants and for people.
struct ToolInfo {
  // ASCII letters, digits, `_` and `-`; at most 128.
  std::string name;
  std::string title = {};
  std::string description = {};
  // The JSON Schema of the arguments, which are an object.
  Json input = {};
  // The JSON Schema of the structured result; null if there is none.
  Json output = {};
  // The use of the tool changes nothing.
  bool is_read_only = false;
};

// The result of the use of a tool.
struct ToolResult {
  // The blocks of content, as in {"type": "text", "text": "..."}.
  Json::Array content = {};
  // The same as a value for programs, if the tool gives one.
  std::optional<Json> structured = std::nullopt;
  // The tool has failed; the content says why.
  bool is_error = false;

  // A result that is a text.
  static ToolResult text(std::string text);
  // A result that is a value; the content has its text, too.
  static ToolResult value(Json value);
  // A failure.
  static ToolResult failure(std::string why);
};

// One use of a tool that a program makes itself.
struct ToolUse {
  // An object with the arguments, as the client has sent them.
  Json arguments = {};
  // The name of the caller.
  std::string caller = {};
  // Shows progress to the client, if it wants to see it.
  std::function<void(const web::Progress&)> show = nullptr;
};

// The work of such a tool, as a task of the gateway's agent. An Error that leaves it is a failure
// that the client reads.
using ToolWork = std::function<Task<ToolResult>(Agent& me, ToolUse use)>;

}  // namespace coracle::mcp
