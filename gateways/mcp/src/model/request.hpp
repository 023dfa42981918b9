// Messages of clients, read and checked.
// Tests: gateways/mcp/tests/read_request_test.cpp, tests/fuzz/mcp_fuzz.cpp
#pragma once

#include "model/protocol.hpp"

#include "coracle/envelope.hpp"
#include "coracle/http/headers.hpp"
#include "coracle/web/json.hpp"
#include "coracle/web/json_rpc.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace coracle::mcp {

using web::Json;

// The limits of one message.
inline constexpr web::JsonLimits message_limits{.bytes = std::size_t{4} << 20};

// A request, with the parts that its method needs.
struct Request {
  Json id;  // a text or a whole number
  Method method = Method::ping;
  bool is_earlier = false;  // it is of an earlier revision
  // The capabilities that the client states.
  bool can_be_asked = false;    // elicitation by a form
  bool can_take_tasks = false;  // the extension for tasks
  // The token for notices of progress; null if the client wants none.
  Json progress_token = {};
  // The trace to which the request belongs.
  std::optional<TraceContext> trace = {};
  // The tool or prompt, the address of the resource, or the task.
  std::string name = {};
  // An object with the arguments of a tool or prompt.
  Json arguments = {};
  // The place at which a list goes on.
  std::string cursor = {};
  // The version that a client of an earlier revision wants.
  std::string wanted_version = {};
  // The answers to the server's questions, and the state of a request that is repeated.
  Json input_responses = {};
  std::string state = {};
  // All parameters of listen and complete.
  Json params = {};
};

// The client does not want the response any more.
struct Cancelled {
  Json id;
};

// A notification that needs nothing to be done.
struct Ignored {};

using Incoming = std::variant<Request, Cancelled, Ignored, web::BadRpc>;

// Reads a message. `may_be_earlier` says that requests without a version are of an earlier
// revision; without it, such a request is an error, except for `initialize`.
Incoming read_message(std::string_view text, bool may_be_earlier,
                      const web::JsonLimits& limits = message_limits);

// Compares the headers of HTTP with the request in the body; returns the error if they differ, or
// nothing.
std::optional<web::RpcError> header_error(const http::Headers& headers, const Request& request);

// The text in a header that may be encoded: =?base64?...?=. Returns nothing if it is not valid.
std::optional<std::string> decoded_header(std::string_view value);

// The error for a client that does not state the extension for tasks.
web::RpcError tasks_are_missing();

// The error for a version that is not served.
web::RpcError unsupported_version(std::string_view requested);

}  // namespace coracle::mcp
