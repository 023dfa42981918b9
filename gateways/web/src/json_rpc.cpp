#include "coracle/web/json_rpc.hpp"

#include "coracle/web/json_reader.hpp"

#include <cstdint>
#include <limits>
#include <utility>

namespace coracle::web {

namespace {

constexpr std::size_t longest_method = 200, longest_id = 1000;

bool is_id(const Json& value) noexcept {
  if (const std::string* const text = value.if_text()) return text->size() <= longest_id;
  return value.is_null() || value.if_whole();
}

bool is_version_2(const Json& message) noexcept {
  const Json* const version = message.find("jsonrpc");
  return version != nullptr && *version == Json("2.0");
}

std::string begin_response(const Json& id) {
  std::string text = R"({"jsonrpc":"2.0","id":)";
  append_text(text, id);
  return text;
}

}  // namespace

std::variant<RpcRequest, BadRpc> read_rpc_request(std::string_view text, const JsonLimits& limits) {
  const auto parsed = parse_json(text, limits);
  if (!parsed) {
    const bool is_large = parsed.error().errc() == Errc::too_large;
    return BadRpc{
        {},
        {is_large ? rpc_code::invalid_request : rpc_code::parse_error, parsed.error().sentence()}};
  }
  const Json& message = *parsed;
  BadRpc bad;
  const auto refuse = [&](std::string why) {
    bad.error = {rpc_code::invalid_request, std::move(why)};
    return bad;
  };
  if (message.if_array() != nullptr) return refuse("lists of requests are not accepted; send one");
  if (message.if_object() == nullptr) return refuse("a request is an object");
  const Json* const id = message.find("id");
  if (id != nullptr && !is_id(*id))
    return refuse("'id' has to be a text of at most 1000 bytes, a whole number or null");
  if (id != nullptr) bad.id = *id;
  if (!is_version_2(message)) return refuse("'jsonrpc' has to be \"2.0\"");
  const Json* const method = message.find("method");
  if (method == nullptr || method->if_text() == nullptr || method->if_text()->empty() ||
      method->if_text()->size() > longest_method)
    return refuse("'method' has to be a text of 1 to 200 bytes");
  RpcRequest request{*method->if_text()};
  if (const Json* const params = message.find("params")) {
    if (params->if_object() == nullptr && params->if_array() == nullptr)
      return refuse("'params' has to be an object or an array");
    request.params = *params;
  }
  if (id != nullptr) request.id = *id;
  return request;
}

Result<RpcResponse> read_rpc_response(std::string_view text, const JsonLimits& limits) {
  const auto parsed = parse_json(text, limits);
  if (!parsed) return parsed.error();
  try {
    const JsonReader message(*parsed);
    if (!is_version_2(message.object())) message.fail("is no response of JSON-RPC 2.0");
    const Json* const id = parsed->find("id");
    if (id == nullptr || !is_id(*id)) message.fail("has no usable 'id'");
    const Json* const result = parsed->find("result");
    const auto error = message.find("error");
    if ((result != nullptr) == error.has_value()) message.fail("has to have a result or an error");
    if (result != nullptr) return RpcResponse{*id, *result};
    RpcError wrong;
    using Int = std::numeric_limits<int>;
    wrong.code = static_cast<int>(error->at("code").whole(Int::min(), Int::max()));
    wrong.message = error->at("message").text();
    if (const auto data = error->find("data")) wrong.data = data->value();
    return RpcResponse{*id, std::move(wrong)};
  } catch (const JsonError& failure) {
    return Error(failure);
  }
}

std::string write_rpc(const RpcRequest& request) {
  std::string text = R"({"jsonrpc":"2.0")";
  if (request.id) {
    text += ",\"id\":";
    append_text(text, *request.id);
  }
  text += ",\"method\":";
  append_quoted(text, request.method);
  if (!request.params.is_null()) {
    text += ",\"params\":";
    append_text(text, request.params);
  }
  return text += '}';
}

std::string write_rpc_result(const Json& id, std::string_view result) {
  return begin_response(id).append(",\"result\":").append(result).append("}");
}

std::string write_rpc_error(const Json& id, const RpcError& error) {
  Json object;
  object.set("code", error.code).set("message", error.message);
  if (!error.data.is_null()) object.set("data", error.data);
  std::string text = begin_response(id) + ",\"error\":";
  append_text(text, object);
  return text += '}';
}

}  // namespace coracle::web
