// The words and numbers of MCP (Model Context Protocol): revision 2026-07-28, in which each request
// states everything that the server has to know, and the two revisions before it, in which a client
// begins with `initialize`.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace coracle::mcp {

// The present revision.
inline constexpr std::string_view present_version = "2026-07-28";
// The earlier revisions that are served, the latest first. Those before 2025-06-18 have lists of
// requests, which nobody uses any more.
inline constexpr std::array<std::string_view, 2> earlier_versions = {"2025-11-25", "2025-06-18"};

// Returns whether that is an earlier revision that is served.
constexpr bool is_earlier_version(std::string_view version) noexcept {
  for (const std::string_view each : earlier_versions)
    if (each == version) return true;
  return false;
}

// The media type of JSON.
inline constexpr const char* json_type = "application/json";

// The extension by which a use of a tool goes on when its request has got a response.
inline constexpr std::string_view tasks_extension = "io.modelcontextprotocol/tasks";

// The codes of errors that MCP adds to those of JSON-RPC.
namespace error_code {
inline constexpr int resource_not_found = -32002;  // of earlier revisions only
inline constexpr int header_mismatch = -32020;
inline constexpr int missing_capability = -32021;
inline constexpr int unsupported_version = -32022;
}  // namespace error_code

// The members of `_meta`.
namespace meta {
inline constexpr std::string_view version = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view client = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view capabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view server = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view subscription = "io.modelcontextprotocol/subscriptionId";
inline constexpr std::string_view progress_token = "progressToken";
inline constexpr std::string_view trace = "traceparent";
}  // namespace meta

// The headers of HTTP that repeat parts of a request.
namespace header {
inline constexpr std::string_view version = "MCP-Protocol-Version";
inline constexpr std::string_view method = "Mcp-Method";
inline constexpr std::string_view name = "Mcp-Name";
}  // namespace header

// The methods that are served: those of the extension for tasks after `listen`, and from
// initialize on those of earlier revisions only.
enum class Method : std::uint8_t {
  discover,
  list_tools,
  call_tool,
  list_resources,
  list_templates,
  read_resource,
  list_prompts,
  get_prompt,
  complete,
  listen,
  get_task,
  update_task,
  cancel_task,
  initialize,
  ping,
};

// Of a method: its name, the member of its parameters that the header Mcp-Name repeats, and the
// revisions that have it.
struct MethodWords {
  Method method;
  std::string_view name;
  std::string_view named_by = {};
  bool is_present = true;
  bool is_earlier = true;
};

inline constexpr std::array<MethodWords, 15> methods = {{
    {Method::discover, "server/discover", {}, true, false},
    {Method::list_tools, "tools/list"},
    {Method::call_tool, "tools/call", "name"},
    {Method::list_resources, "resources/list"},
    {Method::list_templates, "resources/templates/list"},
    {Method::read_resource, "resources/read", "uri"},
    {Method::list_prompts, "prompts/list"},
    {Method::get_prompt, "prompts/get", "name"},
    {Method::complete, "completion/complete"},
    {Method::listen, "subscriptions/listen", {}, true, false},
    {Method::get_task, "tasks/get", "taskId", true, false},
    {Method::update_task, "tasks/update", "taskId", true, false},
    {Method::cancel_task, "tasks/cancel", "taskId", true, false},
    {Method::initialize, "initialize", {}, false, true},
    {Method::ping, "ping", {}, false, true},
}};

// Returns whether a method is one of the extension for tasks.
constexpr bool is_of_tasks(Method method) noexcept {
  return method == Method::get_task || method == Method::update_task ||
         method == Method::cancel_task;
}

// Finds the method of that name; nullptr if there is none.
constexpr const MethodWords* find_method(std::string_view name) noexcept {
  for (const MethodWords& each : methods)
    if (each.name == name) return &each;
  return nullptr;
}

}  // namespace coracle::mcp
