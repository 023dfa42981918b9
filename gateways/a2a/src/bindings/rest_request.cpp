// Calls as requests of HTTP+JSON, for clients.
#include "bindings/call.hpp"

#include "coracle/a2a/model_json.hpp"

#include <utility>

namespace coracle::a2a {

namespace {

// A method, the path behind the address of the interface, and the members of the request.
struct RestRequest {
  const char* method;
  std::string path;
  Json members;
};

std::string task_path(const std::string& task) { return "/tasks/" + http::percent_encoded(task); }

std::string push_path(const std::string& task, const std::string& id = {}) {
  const std::string path = task_path(task) + "/pushNotificationConfigs";
  return id.empty() ? path : path + "/" + http::percent_encoded(id);
}

struct RestForm {
  RestRequest operator()(const SendCall& call) const {
    return {"POST", call.streams ? "/message:stream" : "/message:send", to_json(call.request)};
  }
  RestRequest operator()(const GetTaskRequest& request) const {
    return {"GET", task_path(request.id), to_json(request)};
  }
  RestRequest operator()(const ListTasksRequest& request) const {
    return {"GET", "/tasks", to_json(request)};
  }
  RestRequest operator()(const CancelTaskRequest& request) const {
    return {"POST", task_path(request.id) + ":cancel", to_json(request)};
  }
  RestRequest operator()(const SubscribeRequest& request) const {
    return {"GET", task_path(request.id) + ":subscribe", to_json(request)};
  }
  RestRequest operator()(const CreatePushCall& call) const {
    return {"POST", push_path(call.config.task_id), to_json(call.config)};
  }
  RestRequest operator()(const GetPushCall& call) const {
    return {"GET", push_path(call.request.task_id, call.request.id), to_json(call.request)};
  }
  RestRequest operator()(const ListPushConfigsRequest& request) const {
    return {"GET", push_path(request.task_id), to_json(request)};
  }
  RestRequest operator()(const DeletePushCall& call) const {
    return {"DELETE", push_path(call.request.task_id, call.request.id), to_json(call.request)};
  }
  RestRequest operator()(const GetCardRequest& request) const {
    return {"GET", "/extendedAgentCard", to_json(request)};
  }
};

// The members that the path says already.
bool is_in_path(const std::string& name, const std::string& path) {
  return name == "tenant" || ((name == "id" || name == "taskId") && path.starts_with("/tasks/"));
}

std::string query_of(const Json& members, const std::string& path) {
  std::string query;
  for (const Json::Member& each : *members.if_object()) {
    if (is_in_path(each.name, path)) continue;
    const std::string* const text = each.value.if_text();
    query += (query.empty() ? "" : "&") + each.name + "=";
    query += http::percent_encoded(text != nullptr ? *text : web::to_text(each.value));
  }
  return query;
}

struct SetTenant {
  const std::string& tenant;

  void operator()(SendCall& call) const { call.request.tenant = tenant; }
  void operator()(CreatePushCall& call) const { call.config.tenant = tenant; }
  void operator()(GetPushCall& call) const { call.request.tenant = tenant; }
  void operator()(DeletePushCall& call) const { call.request.tenant = tenant; }
  template <class Request>
  void operator()(Request& request) const {
    request.tenant = tenant;
  }
};

}  // namespace

http::Request rest_request_of(const Call& call, const http::Url& base) {
  RestRequest form = std::visit(RestForm(), call);
  http::Request request;
  request.method = form.method;
  request.url = base;
  while (request.url.path.ends_with('/')) request.url.path.pop_back();
  const std::string& tenant = tenant_of(call);
  if (!tenant.empty()) request.url.path += "/" + http::percent_encoded(tenant);
  request.url.path += form.path;
  if (request.method == "POST") {
    Json body{Json::Object()};
    for (const Json::Member& each : *form.members.if_object())
      if (each.name != "tenant") body.set(each.name, each.value);
    request.body = web::to_text(body);
  } else {
    request.url.query = query_of(form.members, form.path);
  }
  return request;
}

void set_tenant(Call& call, const std::string& tenant) { std::visit(SetTenant{tenant}, call); }

}  // namespace coracle::a2a
