#include "model/results.hpp"

#include "coracle/web/base64.hpp"
#include "coracle/web/json_reader.hpp"

#include <utility>

namespace coracle::mcp {

namespace {

Json identity_of(const ServerInfo& server) {
  Json identity;
  identity.set("name", server.name).set("title", server.title).set("version", server.version);
  return identity;
}

std::string respond_as(const Request& request, const ServerInfo& server, std::string_view type,
                       Json result) {
  if (!request.is_earlier) {
    Json meta;
    meta.set(meta::server, identity_of(server));
    result.set("resultType", type).set("_meta", std::move(meta));
  }
  return web::write_rpc_result(request.id, web::to_text(result));
}

Json capabilities(bool is_earlier) {
  Json all, tools = Json(Json::Object()), resources = Json(Json::Object());
  if (!is_earlier) {  // there, a client would have to keep a session for changes
    tools.set("listChanged", true);
    resources.set("subscribe", true);
  }
  all.set("tools", std::move(tools))
      .set("resources", std::move(resources))
      .set("prompts", Json(Json::Object()))
      .set("completions", Json(Json::Object()));
  if (!is_earlier) {
    Json extensions;
    extensions.set(tasks_extension, Json(Json::Object()));
    all.set("extensions", std::move(extensions));
  }
  return all;
}

std::string note(std::string_view method, Json params) {
  return web::write_rpc({std::string(method), std::move(params), std::nullopt});
}

void set_unless_empty(Json& object, std::string_view name, const std::string& text) {
  if (!text.empty()) object.set(name, text);
}

}  // namespace

std::string respond(const Request& request, const ServerInfo& server, Json result) {
  return respond_as(request, server, "complete", std::move(result));
}

std::string respond_for(const Request& request, const ServerInfo& server, Json result,
                        std::int64_t milliseconds) {
  // Callers may see different agents, so nobody shares a result with another caller.
  if (!request.is_earlier) result.set("ttlMs", milliseconds).set("cacheScope", "private");
  return respond(request, server, std::move(result));
}

std::string respond_with_question(const Request& request, const ServerInfo& server,
                                  std::string_view question, std::string_view state) {
  Json result;
  result.set("inputRequests", input_requests("question", question)).set("requestState", state);
  return respond_as(request, server, "input_required", std::move(result));
}

std::string respond_with_task(const Request& request, const ServerInfo& server, Json task) {
  return respond_as(request, server, "task", std::move(task));
}

Json input_requests(std::string_view key, std::string_view question) {
  Json field, fields, schema, required, params, asked, all;
  field.set("type", "string").set("title", "Answer");
  fields.set("answer", std::move(field));
  required.push("answer");
  schema.set("type", "object")
      .set("properties", std::move(fields))
      .set("required", std::move(required));
  params.set("mode", "form").set("message", question).set("requestedSchema", std::move(schema));
  asked.set("method", "elicitation/create").set("params", std::move(params));
  return all.set(key, std::move(asked));
}

Json discovered(const ServerInfo& server) {
  Json versions, result;
  versions.push(present_version);
  result.set("supportedVersions", std::move(versions))
      .set("capabilities", capabilities(false))
      .set("instructions", server.instructions);
  return result;
}

Json initialized(const ServerInfo& server, std::string_view wanted_version) {
  Json result;
  result
      .set("protocolVersion",
           is_earlier_version(wanted_version) ? wanted_version : earlier_versions.front())
      .set("capabilities", capabilities(true))
      .set("serverInfo", identity_of(server))
      .set("instructions", server.instructions);
  return result;
}

Json to_json(const ToolInfo& tool, bool is_earlier) {
  Json hints, result;
  hints.set("readOnlyHint", tool.is_read_only);
  result.set("name", tool.name);
  set_unless_empty(result, "title", tool.title);
  set_unless_empty(result, "description", tool.description);
  result.set("inputSchema", tool.input);
  // Earlier revisions have objects as structured results only.
  const Json* const type = tool.output.find("type");
  if (!tool.output.is_null() && (!is_earlier || (type != nullptr && *type == Json("object"))))
    result.set("outputSchema", tool.output);
  result.set("annotations", std::move(hints));
  return result;
}

Json to_json(const ResourceInfo& resource) {
  Json result;
  result.set(resource.is_template ? "uriTemplate" : "uri", resource.uri)
      .set("name", resource.name)
      .set("description", resource.description)
      .set("mimeType", resource.type);
  return result;
}

Json to_json(const PromptInfo& prompt) {
  Json arguments = Json(Json::Array()), result;
  for (const PromptInfo::Argument& each : prompt.arguments) {
    Json argument;
    argument.set("name", each.name)
        .set("description", each.description)
        .set("required", each.is_required);
    arguments.push(std::move(argument));
  }
  result.set("name", prompt.name)
      .set("title", prompt.title)
      .set("description", prompt.description)
      .set("arguments", std::move(arguments));
  return result;
}

Json to_json(const ToolResult& result, bool is_earlier) {
  Json made;
  made.set("content", Json(result.content));
  if (result.structured && (!is_earlier || result.structured->if_object() != nullptr))
    made.set("structuredContent", *result.structured);
  made.set("isError", result.is_error);
  return made;
}

std::string progress_note(const Json& token, double done, double total, std::string_view text) {
  Json params;
  params.set("progressToken", token).set("progress", done);
  if (total > 0) params.set("total", total);
  if (!text.empty()) params.set("message", text);
  return note("notifications/progress", std::move(params));
}

std::string subscription_note(std::string_view method, const Json& subscription, Json params) {
  Json meta;
  meta.set(meta::subscription, subscription);
  params.set("_meta", std::move(meta));
  return note(method, std::move(params));
}

std::string cursor_after(std::string_view name) { return web::to_base64url(name); }

std::string name_in_cursor(const std::string& cursor) {
  auto name = web::from_base64(cursor);
  if (!name || cursor_after(*name) != cursor)
    throw web::JsonError("params.cursor", "is not one that this server has given");
  return *std::move(name);
}

int status_of(const web::RpcError& error, bool is_earlier) noexcept {
  const bool has_no_request =
      error.code == web::rpc_code::parse_error || error.code == web::rpc_code::invalid_request;
  if (is_earlier) return has_no_request ? 400 : 200;
  switch (error.code) {
    case web::rpc_code::method_not_found:
      return 404;
    case web::rpc_code::internal_error:
      return 500;
    default:
      return 400;
  }
}

}  // namespace coracle::mcp
