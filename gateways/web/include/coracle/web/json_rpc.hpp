// Messages of JSON-RPC 2.0 as texts. Lists of messages (batches) are refused: neither A2A nor MCP
// has them. Tests: gateways/web/tests/json_rpc_test.cpp, tests/fuzz/json_rpc_fuzz.cpp
#pragma once

#include "coracle/web/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace coracle::web {

// The codes of errors that JSON-RPC itself has.
namespace rpc_code {
inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;
}  // namespace rpc_code

// An error in a response.
struct RpcError {
  int code = rpc_code::internal_error;
  std::string message;
  Json data = {};  // null: the error has none
};

// A request, or a notification, which gets no response.
struct RpcRequest {
  std::string method;
  // An object or an array; null if there are none.
  Json params = {};
  // A text, a whole number, or null, as the other side has sent it; nothing: a notification.
  std::optional<Json> id = {};
};

// A response.
struct RpcResponse {
  Json id;
  std::variant<Json, RpcError> outcome;  // the result, or the error
};

// A text that is no valid request, with the response that it gets.
struct BadRpc {
  Json id = {};  // that of the request, as far as it could be read
  RpcError error = {};
};

// Reads a request or a notification.
std::variant<RpcRequest, BadRpc> read_rpc_request(std::string_view text,
                                                  const JsonLimits& limits = {});
// Reads a response. Fails with Errc::bad_encoding and Errc::too_large.
Result<RpcResponse> read_rpc_response(std::string_view text, const JsonLimits& limits = {});

// Writes a message.
std::string write_rpc(const RpcRequest& request);
// The same of a response with a result that is JSON text already, as append_text() writes it.
std::string write_rpc_result(const Json& id, std::string_view result);
std::string write_rpc_error(const Json& id, const RpcError& error);

}  // namespace coracle::web
