// Calls as requests of JSON-RPC.
#include "bindings/call.hpp"

#include "coracle/a2a/model_json.hpp"

#include <array>

namespace coracle::a2a {

namespace {

struct Method {
  const char* name;
  Call (*read)(const web::JsonReader&);
};

template <class Request>
Call plain_call(const web::JsonReader& params) {
  return read<Request>(params);
}
template <bool streams>
Call send_call(const web::JsonReader& params) {
  return SendCall{read<SendMessageRequest>(params), streams};
}
template <class Wrapped>
Call push_call(const web::JsonReader& params) {
  return Wrapped{read<PushConfigRequest>(params)};
}
Call create_push_call(const web::JsonReader& params) {
  return CreatePushCall{read<PushConfig>(params)};
}

constexpr std::array<Method, 11> methods = {{
    {"SendMessage", send_call<false>},
    {"SendStreamingMessage", send_call<true>},
    {"GetTask", plain_call<GetTaskRequest>},
    {"ListTasks", plain_call<ListTasksRequest>},
    {"CancelTask", plain_call<CancelTaskRequest>},
    {"SubscribeToTask", plain_call<SubscribeRequest>},
    {"CreateTaskPushNotificationConfig", create_push_call},
    {"GetTaskPushNotificationConfig", push_call<GetPushCall>},
    {"ListTaskPushNotificationConfigs", plain_call<ListPushConfigsRequest>},
    {"DeleteTaskPushNotificationConfig", push_call<DeletePushCall>},
    {"GetExtendedAgentCard", plain_call<GetCardRequest>},
}};

// The methods in the order of the alternatives of Call.
constexpr std::array<const char*, 10> method_of = {
    methods[0].name, methods[2].name, methods[3].name, methods[4].name, methods[5].name,
    methods[6].name, methods[7].name, methods[8].name, methods[9].name, methods[10].name};

struct ParamsOf {
  Json operator()(const SendCall& call) const { return to_json(call.request); }
  Json operator()(const CreatePushCall& call) const { return to_json(call.config); }
  Json operator()(const GetPushCall& call) const { return to_json(call.request); }
  Json operator()(const DeletePushCall& call) const { return to_json(call.request); }
  template <class Request>
  Json operator()(const Request& request) const {
    return to_json(request);
  }
};

struct TenantOf {
  const std::string& operator()(const SendCall& call) const { return call.request.tenant; }
  const std::string& operator()(const CreatePushCall& call) const { return call.config.tenant; }
  const std::string& operator()(const GetPushCall& call) const { return call.request.tenant; }
  const std::string& operator()(const DeletePushCall& call) const { return call.request.tenant; }
  template <class Request>
  const std::string& operator()(const Request& request) const {
    return request.tenant;
  }
};

}  // namespace

const std::string& tenant_of(const Call& call) noexcept { return std::visit(TenantOf(), call); }

bool is_stream(const Call& call) noexcept {
  const SendCall* const send = std::get_if<SendCall>(&call);
  return std::holds_alternative<SubscribeRequest>(call) || (send != nullptr && send->streams);
}

Call call_in(const web::RpcRequest& request) {
  for (const Method& each : methods) {
    if (request.method != each.name) continue;
    const Json params = request.params.is_null() ? Json(Json::Object()) : request.params;
    try {
      return each.read(web::JsonReader(params));
    } catch (const web::JsonError& error) {
      throw Fault::at(error.place().empty() ? "params" : error.place(), error.problem());
    }
  }
  throw Fault(FaultKind::method_not_found,
              "there is no such method; the methods are those of A2A 1.0, such as SendMessage");
}

web::RpcRequest rpc_request_of(const Call& call, Json id) {
  const SendCall* const send = std::get_if<SendCall>(&call);
  const bool streams = send != nullptr && send->streams;
  return {streams ? methods[1].name : method_of[call.index()], std::visit(ParamsOf(), call),
          std::move(id)};
}

}  // namespace coracle::a2a
