#include "client/words.hpp"

#include "model/request.hpp"

#include "coracle/support/quote.hpp"
#include "coracle/traceparent.hpp"
#include "coracle/version.hpp"
#include "coracle/web/base64.hpp"
#include "coracle/web/json_reader.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace coracle::mcp {

namespace {

using web::JsonReader;

constexpr std::size_t longest_tool = 200, longest_text = 4000, most_tools_of_page = 10'000;

// The memory of the description of a tool's arguments, about.
constexpr std::size_t most_schema_bytes = 128 * 1024;

Json client_info() { return Json().set("name", "coracle").set("version", coracle::version); }

Json client_capabilities() {
  Json elicitation, extensions, all;
  elicitation.set("form", Json(Json::Object()));
  extensions.set(tasks_extension, Json(Json::Object()));
  return all.set("elicitation", std::move(elicitation)).set("extensions", std::move(extensions));
}

bool is_plain_header(std::string_view value) noexcept {
  const auto is_visible = [](char each) { return each >= 0x20 && each <= 0x7e; };
  return std::ranges::all_of(value, is_visible) && !value.starts_with(' ') &&
         !value.ends_with(' ') && !value.starts_with("=?base64?");
}

std::string shortened(std::string text) {
  if (text.size() > longest_text) text.resize(longest_text);
  return coracle::detail::shown(text);
}

Finished finished(const JsonReader& result) {
  Finished made;
  made.is_error = result.truth_or_false("isError");
  bool is_text_only = true;
  for (const JsonReader& each : result.at("content").items()) {
    if (each.at("type").text() != "text") {
      is_text_only = false;
      continue;
    }
    if (!made.text.empty()) made.text += '\n';
    made.text += each.at("text").text();
  }
  if (const Json* const value = result.value().find("structuredContent")) made.value = *value;
  else if (!is_text_only) made.value = result.at("content").value();
  // Some servers put a text into an object, too.
  const Json* const inner = made.value ? made.value->find("result") : nullptr;
  if (inner != nullptr && *inner == Json(made.text) && made.value->if_object()->size() == 1)
    made.value.reset();
  return made;
}

// The one question of a server that an agent can answer: a form.
Asked asked_in(const JsonReader& result, const std::string& task) {
  Asked asked{{}, {}, {}, result.text_or_empty("requestState"), task};
  const auto questions = result.find("inputRequests");
  if (!questions) return asked;  // the request is repeated with its state only
  const Json::Object& all = *questions->object().if_object();
  if (all.size() != 1) questions->fail("have to be one question at a time here");
  asked.key = all.front().name;
  const JsonReader question(all.front().value, questions->place() + "." + asked.key);
  if (question.at("method").text() != "elicitation/create")
    question.fail("asks for something that agents do not give");
  const JsonReader params = question.at("params");
  if (const auto mode = params.find("mode"); mode && mode->text() != "form")
    mode->fail("has to be 'form' here");
  asked.question = shortened(params.at("message").text());
  const auto fields = params.at("requestedSchema").find("properties");
  const Json::Object* const members = fields ? fields->object().if_object() : nullptr;
  if (members != nullptr && members->size() == 1) {
    const Json* const type = members->front().value.find("type");
    if (type != nullptr && *type == Json("string")) asked.member = members->front().name;
  }
  return asked;
}

Waiting waiting_in(const JsonReader& task) {
  using std::chrono::milliseconds;
  std::int64_t pause = 1000;
  for (const char* const name : {"pollIntervalMs", "pollInterval"})
    if (const auto given = task.find(name)) pause = given->whole(0, 86'400'000);
  pause = std::clamp<std::int64_t>(pause, 100, 60'000);
  return {task.at("taskId").text(), milliseconds(pause)};
}

Step step_of_task(const JsonReader& task) {
  const std::string status = task.at("status").text();
  const std::string id = task.at("taskId").text();
  if (status == "working") return waiting_in(task);
  if (status == "input_required") return asked_in(task, id);
  if (status == "completed") return finished(task.at("result"));
  if (status == "failed") {
    const JsonReader error = task.at("error");
    throw ServerFault({static_cast<int>(error.at("code").whole(-1'000'000, 1'000'000)),
                       error.at("message").text(),
                       {}});
  }
  if (status == "cancelled") return Finished{true, "the server has called the task off", {}};
  task.at("status").fail("is unknown");
}

}  // namespace

std::string request_text(std::int64_t id, const OwnRequest& request, bool is_earlier) {
  Json params = request.params, meta;
  if (!is_earlier) {
    meta.set(meta::version, present_version)
        .set(meta::client, client_info())
        .set(meta::capabilities, client_capabilities());
  }
  if (request.wants_progress) meta.set(meta::progress_token, id);
  if (request.trace) meta.set(meta::trace, to_traceparent(*request.trace));
  if (!meta.is_null()) params.set("_meta", std::move(meta));
  return web::write_rpc({std::string(request.method), std::move(params), Json(id)});
}

std::string notification_text(std::string_view method, Json params) {
  return web::write_rpc({std::string(method), std::move(params), std::nullopt});
}

std::string encoded_header(std::string_view value) {
  if (is_plain_header(value)) return std::string(value);
  return "=?base64?" + web::to_base64(value) + "?=";
}

http::Headers request_headers(const OwnRequest& request, std::string_view version) {
  http::Headers headers{{"Content-Type", "application/json"},
                        {"Accept", "application/json, text/event-stream"}};
  if (!version.empty()) headers.add(header::version, version);
  if (version != present_version) return headers;
  headers.add(header::method, request.method);
  if (!request.name.empty()) headers.add(header::name, encoded_header(request.name));
  return headers;
}

ServerFault::ServerFault(web::RpcError error)
    : Error(Errc::refused, "the server of MCP has answered with the error " +
                               std::to_string(error.code) + ": " + shortened(error.message)),
      error_(std::move(error)) {}

Result<FromServer> read_from_server(std::string_view text, std::size_t most_bytes) {
  web::JsonLimits limits;
  limits.bytes = most_bytes;
  auto parsed = web::parse_json(text, limits);
  if (!parsed) return parsed.error();
  FromServer made;
  if (parsed->find("method") == nullptr) {
    auto response = web::read_rpc_response(text, limits);
    if (!response) return response.error();
    made.response = *std::move(response);
    return made;
  }
  try {
    const JsonReader reader(*parsed);
    made.method = reader.at("method").text();
    if (const Json* const id = parsed->find("id")) made.id = *id;
    if (const auto params = reader.find("params")) made.params = params->object();
  } catch (const web::JsonError& error) {
    return Error(error);
  }
  return made;
}

ToolPage read_tool_page(const Json& result) {
  const JsonReader reader(result, "result");
  ToolPage page;
  page.next = reader.text_or_empty("nextCursor");
  for (const JsonReader& each : reader.at("tools").items(most_tools_of_page)) {
    ServerTool tool;
    tool.name = each.at("name").text();
    if (tool.name.empty() || tool.name.size() > longest_tool) continue;
    tool.title = shortened(each.text_or_empty("title"));
    tool.description = shortened(each.text_or_empty("description"));
    const Json& input = each.at("inputSchema").object();
    if (input.bytes() > most_schema_bytes) continue;
    tool.input = input;
    page.tools.push_back(std::move(tool));
  }
  return page;
}

Step read_step(const Json& result, const std::string& task) {
  const JsonReader reader(result, "result");
  if (!task.empty()) {
    if (reader.at("taskId").text() != task) reader.fail("is about another task");
    return step_of_task(reader);
  }
  const std::string type = reader.text_or_empty("resultType");
  if (type.empty() || type == "complete") return finished(reader);
  if (type == "input_required") return asked_in(reader, {});
  if (type == "task") {
    const auto inner = reader.find("task");
    return step_of_task(inner ? *inner : reader);
  }
  reader.at("resultType").fail("is unknown");
}

Json responses_to(const Asked& asked, const std::optional<std::string>& answer) {
  if (asked.key.empty()) return {};
  Json response, all;
  std::optional<Json> content;
  if (answer && !asked.member.empty()) {
    content = Json().set(asked.member, *answer);
  } else if (answer) {
    auto parsed = web::parse_json(*answer);
    if (parsed && parsed->if_object() != nullptr) content = *std::move(parsed);
  }
  response.set("action", content ? "accept" : "decline");
  if (content) response.set("content", *std::move(content));
  return all.set(asked.key, std::move(response));
}

}  // namespace coracle::mcp
