#include "model/request.hpp"

#include "coracle/support/quote.hpp"
#include "coracle/traceparent.hpp"
#include "coracle/web/base64.hpp"
#include "coracle/web/json_reader.hpp"

#include <utility>

namespace coracle::mcp {

namespace {

using coracle::detail::quoted;
using web::BadRpc;
using web::JsonReader;
using web::RpcError;

constexpr std::size_t longest_name = 4096, longest_cursor = 4096, longest_state = 16 * 1024,
                      longest_token = 1000;

// A failure with a code of its own.
struct Refusal {
  RpcError error;
};

[[noreturn]] void refuse(int code, std::string why) { throw Refusal{{code, std::move(why)}}; }

std::string short_text(const JsonReader& reader, std::size_t most) {
  if (reader.text().size() > most) reader.fail("has more than " + std::to_string(most) + " bytes");
  return reader.text();
}

Json token_in(const JsonReader& meta) {
  const auto token = meta.find(meta::progress_token);
  if (!token) return {};
  if (token->value().if_whole()) return token->value();
  return short_text(*token, longest_token);
}

// Reads what `_meta` states in the present revision.
void read_meta(const JsonReader& meta, Request& request) {
  const std::string version = short_text(meta.at(meta::version), 100);
  if (version != present_version) throw Refusal{unsupported_version(version)};
  const JsonReader capabilities(meta.at(meta::capabilities));
  capabilities.object();
  if (const auto asked = capabilities.find("elicitation")) {
    // Without a mode, forms are meant.
    request.can_be_asked = asked->find("form").has_value() || !asked->find("url").has_value();
  }
  if (const auto extensions = capabilities.find("extensions"))
    request.can_take_tasks = extensions->object().find(tasks_extension) != nullptr;
  if (const auto client = meta.find(meta::client)) client->object();
}

void read_common_meta(const JsonReader& meta, Request& request) {
  request.progress_token = token_in(meta);
  const auto trace = meta.find(meta::trace);
  // A trace that is not valid begins anew, as its recommendation says.
  if (trace && trace->value().if_text() != nullptr) request.trace = trace_context_in(trace->text());
}

// An object whose values are texts or anything, or null.
Json arguments_in(const JsonReader& params, bool are_texts) {
  const auto given = params.find("arguments");
  if (!given) return {};
  for (const Json::Member& each : *given->object().if_object())
    if (are_texts && each.value.if_text() == nullptr) given->at(each.name).text();  // fails
  return given->value();
}

void read_params(const JsonReader& params, const MethodWords& words, Request& request) {
  if (!words.named_by.empty()) request.name = short_text(params.at(words.named_by), longest_name);
  switch (words.method) {
    case Method::call_tool:
    case Method::get_prompt:
      request.arguments = arguments_in(params, words.method == Method::get_prompt);
      break;
    case Method::list_tools:
    case Method::list_resources:
    case Method::list_templates:
    case Method::list_prompts:
      if (const auto cursor = params.find("cursor"))
        request.cursor = short_text(*cursor, longest_cursor);
      break;
    case Method::initialize:
      request.wanted_version = short_text(params.at("protocolVersion"), 100);
      break;
    default:
      break;
  }
  if (const auto state = params.find("requestState"))
    request.state = short_text(*state, longest_state);
  const auto responses = params.find("inputResponses");
  if (responses) responses->object();
  // Without a question that was put before, they answer nothing.
  const bool is_asked = !request.state.empty() || words.method == Method::update_task;
  if (responses && is_asked) request.input_responses = responses->value();
}

bool states_version(const Json& params) noexcept {
  const Json* const meta = params.find("_meta");
  return meta != nullptr && meta->find(meta::version) != nullptr;
}

Request read_request(web::RpcRequest raw, bool may_be_earlier) {
  Request request;
  request.id = *std::move(raw.id);
  if (request.id.is_null()) refuse(web::rpc_code::invalid_request, "'id' must not be null");
  if (raw.params.if_array() != nullptr)
    refuse(web::rpc_code::invalid_params, "'params' has to be an object");
  if (raw.params.is_null()) raw.params = Json(Json::Object());
  const MethodWords* const words = find_method(raw.method);
  const bool begins = words != nullptr && words->method == Method::initialize;
  request.is_earlier = !states_version(raw.params) && (may_be_earlier || begins);
  const JsonReader params(raw.params, "params");
  if (const auto meta = request.is_earlier ? params.find("_meta") : params.at("_meta")) {
    if (!request.is_earlier) read_meta(*meta, request);
    read_common_meta(*meta, request);
  }
  if (words == nullptr || !(request.is_earlier ? words->is_earlier : words->is_present))
    refuse(web::rpc_code::method_not_found,
           "there is no method " + quoted(raw.method) + " in this revision; this server has " +
               std::string(present_version) + " and, with initialize, " +
               std::string(earlier_versions.front()));
  request.method = words->method;
  if (is_of_tasks(request.method) && !request.can_take_tasks) throw Refusal{tasks_are_missing()};
  read_params(params, *words, request);
  if (words->method == Method::listen || words->method == Method::complete)
    request.params = std::move(raw.params);
  return request;
}

Incoming read_notification(const web::RpcRequest& raw) {
  if (raw.method != "notifications/cancelled") return Ignored{};
  const Json* const id = raw.params.find("requestId");
  if (id == nullptr || id->is_null()) return Ignored{};
  return Cancelled{*id};
}

RpcError mismatch(std::string why) {
  return {error_code::header_mismatch, "header mismatch: " + std::move(why)};
}

// The one value of a header, or an error if there is none or more than one.
std::variant<std::string_view, RpcError> only_value(const http::Headers& headers,
                                                    std::string_view name) {
  if (headers.count(name) != 1)
    return mismatch("the request needs one header " + std::string(name) + ", not " +
                    std::to_string(headers.count(name)));
  return *headers.find(name);
}

}  // namespace

Incoming read_message(std::string_view text, bool may_be_earlier, const web::JsonLimits& limits) {
  auto read = web::read_rpc_request(text, limits);
  if (auto* const bad = std::get_if<BadRpc>(&read)) return std::move(*bad);
  web::RpcRequest& raw = std::get<web::RpcRequest>(read);
  if (!raw.id) return read_notification(raw);
  const Json id = *raw.id;
  try {
    return read_request(std::move(raw), may_be_earlier);
  } catch (Refusal& refusal) {
    return BadRpc{id, std::move(refusal.error)};
  } catch (const web::JsonError& error) {
    return BadRpc{id, {web::rpc_code::invalid_params, error.sentence()}};
  }
}

std::optional<std::string> decoded_header(std::string_view value) {
  constexpr std::string_view begin = "=?base64?", end = "?=";
  if (!value.starts_with(begin) || !value.ends_with(end) ||
      value.size() < begin.size() + end.size())
    return std::string(value);
  const auto coded = value.substr(begin.size(), value.size() - begin.size() - end.size());
  auto plain = web::from_base64(coded);
  // Only one text stands for each value.
  if (!plain || web::to_base64(*plain) != coded) return std::nullopt;
  return plain;
}

std::optional<RpcError> header_error(const http::Headers& headers, const Request& request) {
  const auto& words = methods[static_cast<std::size_t>(request.method)];
  const auto differs = [&](std::string_view name, std::string_view in_body,
                           bool may_be_coded) -> std::optional<RpcError> {
    auto found = only_value(headers, name);
    if (auto* const error = std::get_if<RpcError>(&found)) return std::move(*error);
    const std::string_view raw = std::get<std::string_view>(found);
    const auto value = may_be_coded ? decoded_header(raw) : std::string(raw);
    if (value && *value == in_body) return std::nullopt;
    return mismatch(std::string(name) + " is " + quoted(raw) + ", but the body has " +
                    quoted(in_body));
  };
  if (auto error = differs(header::version, present_version, false)) return error;
  if (auto error = differs(header::method, words.name, false)) return error;
  if (words.named_by.empty()) return std::nullopt;
  return differs(header::name, request.name, true);
}

RpcError tasks_are_missing() {
  Json extensions, required, data;
  extensions.set(tasks_extension, Json(Json::Object()));
  required.set("extensions", std::move(extensions));
  data.set("requiredCapabilities", std::move(required));
  return {error_code::missing_capability,
          "this needs the extension " + std::string(tasks_extension) +
              ", which the client has not stated",
          std::move(data)};
}

RpcError unsupported_version(std::string_view requested) {
  Json supported;
  supported.push(present_version);
  Json data;
  data.set("supported", std::move(supported)).set("requested", requested);
  return {error_code::unsupported_version,
          "this server does not have revision " + quoted(requested), std::move(data)};
}

}  // namespace coracle::mcp
