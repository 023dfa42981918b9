// The calls of clients, whatever the binding is in which they come.
// Tests: gateways/a2a/tests/bindings_test.cpp, tests/fuzz/a2a_call_fuzz.cpp
#pragma once

#include "coracle/a2a/fault.hpp"
#include "coracle/a2a/model.hpp"
#include "coracle/http/message.hpp"
#include "coracle/web/json_rpc.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace coracle::a2a {

struct SendCall {
  SendMessageRequest request;
  bool streams = false;
};
struct CreatePushCall {
  PushConfig config;
};
struct GetPushCall {
  PushConfigRequest request;
};
struct DeletePushCall {
  PushConfigRequest request;
};

// The eleven operations; sending with and without a stream is one alternative.
using Call = std::variant<SendCall, GetTaskRequest, ListTasksRequest, CancelTaskRequest,
                          SubscribeRequest, CreatePushCall, GetPushCall, ListPushConfigsRequest,
                          DeletePushCall, GetCardRequest>;

// The tenant that a call names; empty if it names none.
const std::string& tenant_of(const Call& call) noexcept;
// Returns whether the answer is a stream.
bool is_stream(const Call& call) noexcept;

// The call of a request of JSON-RPC. Fails with Fault.
Call call_in(const web::RpcRequest& request);
// The same as a request of JSON-RPC, for a client.
web::RpcRequest rpc_request_of(const Call& call, Json id);

// A path of HTTP+JSON: the agent's name comes first, as in lab/ann/tasks/7:cancel.
struct RestPath {
  enum class Operation : std::uint8_t {
    send,
    stream,
    get,
    list,
    cancel,
    subscribe,
    create_push,
    get_push,
    list_push,
    delete_push,
    get_card
  };
  Operation operation;
  std::string agent;  // empty: the path names none
  std::string task = {};
  std::string config = {};
};
// Finds the operation of a path, which is decoded and has no slash at its beginning; nothing if
// there is none. In a name of an agent that looks like an operation, the operation is found.
std::optional<RestPath> rest_path_in(std::string_view method, std::string_view path);
// The call of a request of HTTP+JSON. Fails with Fault.
Call call_in(const RestPath& path, const http::Request& request);

// Checks the version of the protocol that a request states, in the header A2A-Version or the query.
// Fails with Fault (version_not_supported).
void check_version(const http::Request& request);

}  // namespace coracle::a2a
