// The results that a server sends, as JSON.
// Tests: gateways/mcp/tests/read_request_test.cpp
#pragma once

#include "model/request.hpp"

#include "coracle/mcp/tool.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::mcp {

// The server, as it introduces itself.
struct ServerInfo {
  std::string name = "coracle";
  std::string title = "A society of agents";
  std::string version;
  std::string instructions;
};

// A resource in a list, or, with `is_template`, a template for addresses of resources.
struct ResourceInfo {
  std::string uri, name, description, type;
  bool is_template = false;
};

// A prompt in a list.
struct PromptInfo {
  struct Argument {
    std::string name, description;
    bool is_required = false;
  };
  std::string name, title, description;
  std::vector<Argument> arguments = {};
};

// The text of a response with that result, which is complete: an object.
std::string respond(const Request& request, const ServerInfo& server, Json result);
// The same for a result that the client may keep for that time.
std::string respond_for(const Request& request, const ServerInfo& server, Json result,
                        std::int64_t milliseconds);
// The text of a response that asks the client for an answer to a question; it repeats the request
// with the answer and with `state`.
std::string respond_with_question(const Request& request, const ServerInfo& server,
                                  std::string_view question, std::string_view state);

// The questions in a result, of which there is one.
Json input_requests(std::string_view key, std::string_view question);
// The text of a response that a task stands for the result.
std::string respond_with_task(const Request& request, const ServerInfo& server, Json task);

// The result of server/discover, and that of initialize.
Json discovered(const ServerInfo& server);
Json initialized(const ServerInfo& server, std::string_view wanted_version);

Json to_json(const ToolInfo& tool, bool is_earlier);
Json to_json(const ResourceInfo& resource);
Json to_json(const PromptInfo& prompt);
// The result of tools/call.
Json to_json(const ToolResult& result, bool is_earlier);

// A notification: of progress, and of a list that has changed (in a subscription, with its id).
std::string progress_note(const Json& token, double done, double total, std::string_view text);
std::string subscription_note(std::string_view method, const Json& subscription, Json params = {});

// The cursor after the entry of that name, and the name in a cursor. Fails with web::JsonError if
// it is none.
std::string cursor_after(std::string_view name);
std::string name_in_cursor(const std::string& cursor);

// The status of HTTP for an error.
int status_of(const web::RpcError& error, bool is_earlier) noexcept;

}  // namespace coracle::mcp
