#include "coracle/a2a/model_json.hpp"
#include "coracle/web/base64.hpp"
#include "model/fields.hpp"

namespace coracle::a2a {

namespace {

const char* name_of(Role role) noexcept {
  if (role == Role::user) return "ROLE_USER";
  return role == Role::agent ? "ROLE_AGENT" : "ROLE_UNSPECIFIED";
}

struct ContentWriter {
  Json& object;
  void operator()(const std::string& text) const { object.set("text", text); }
  void operator()(const Raw& raw) const { object.set("raw", web::to_base64(raw.bytes)); }
  void operator()(const FileUrl& file) const { object.set("url", file.url); }
  void operator()(const Json& data) const { object.set("data", data); }
};

Json authentication_of(const PushConfig& config) {
  Json object;
  object.set("scheme", config.scheme);
  put(object, "credentials", config.credentials);
  return object;
}

Json to_json(const SendConfiguration& configuration) {
  Json object = empty_object();
  put(object, "acceptedOutputModes", configuration.accepted_output_modes);
  if (configuration.push)
    object.set("taskPushNotificationConfig", a2a::to_json(*configuration.push));
  put(object, "historyLength", configuration.history_length);
  put_true(object, "returnImmediately", configuration.return_immediately);
  return object;
}

}  // namespace

Json to_json(const Part& part) {
  Json object;
  std::visit(ContentWriter{object}, part.content);
  put(object, "metadata", part.metadata);
  put(object, "filename", part.filename);
  put(object, "mediaType", part.media_type);
  return object;
}

Json to_json(const Message& message) {
  Json object;
  object.set("messageId", message.message_id);
  put(object, "contextId", message.context_id);
  put(object, "taskId", message.task_id);
  object.set("role", name_of(message.role));
  object.set("parts", array_of(message.parts));
  put(object, "metadata", message.metadata);
  put(object, "extensions", message.extensions);
  put(object, "referenceTaskIds", message.reference_task_ids);
  return object;
}

Json to_json(const Artifact& artifact) {
  Json object;
  object.set("artifactId", artifact.artifact_id);
  put(object, "name", artifact.name);
  put(object, "description", artifact.description);
  object.set("parts", array_of(artifact.parts));
  put(object, "metadata", artifact.metadata);
  put(object, "extensions", artifact.extensions);
  return object;
}

Json to_json(const TaskStatus& status) {
  Json object;
  object.set("state", to_string(status.state));
  if (status.message) object.set("message", to_json(*status.message));
  if (status.timestamp) object.set("timestamp", to_text(*status.timestamp));
  return object;
}

Json to_json(const Task& task) {
  Json object;
  object.set("id", task.id);
  put(object, "contextId", task.context_id);
  object.set("status", to_json(task.status));
  if (!task.artifacts.empty()) object.set("artifacts", array_of(task.artifacts));
  if (!task.history.empty()) object.set("history", array_of(task.history));
  put(object, "metadata", task.metadata);
  return object;
}

Json to_json(const TaskStatusUpdate& update) {
  Json object;
  object.set("taskId", update.task_id);
  object.set("contextId", update.context_id);
  object.set("status", to_json(update.status));
  put(object, "metadata", update.metadata);
  return object;
}

Json to_json(const TaskArtifactUpdate& update) {
  Json object;
  object.set("taskId", update.task_id);
  object.set("contextId", update.context_id);
  object.set("artifact", to_json(update.artifact));
  put_true(object, "append", update.append);
  put_true(object, "lastChunk", update.last_chunk);
  put(object, "metadata", update.metadata);
  return object;
}

Json to_json(const StreamItem& item) {
  constexpr const char* names[] = {"task", "message", "statusUpdate", "artifactUpdate"};
  return Json().set(names[item.index()],
                    std::visit([](const auto& each) { return to_json(each); }, item));
}

Json to_json(const PushConfig& config) {
  Json object = empty_object();
  put(object, "tenant", config.tenant);
  put(object, "id", config.id);
  put(object, "taskId", config.task_id);
  object.set("url", config.url);
  put(object, "token", config.token);
  if (!config.scheme.empty()) object.set("authentication", authentication_of(config));
  return object;
}

Json to_json(const SendMessageRequest& request) {
  Json object = empty_object();
  put(object, "tenant", request.tenant);
  object.set("message", to_json(request.message));
  if (request.configuration != SendConfiguration())
    object.set("configuration", to_json(request.configuration));
  put(object, "metadata", request.metadata);
  return object;
}

Json to_json(const GetTaskRequest& request) {
  Json object = empty_object();
  put(object, "tenant", request.tenant);
  object.set("id", request.id);
  put(object, "historyLength", request.history_length);
  return object;
}

Json to_json(const ListTasksRequest& request) {
  Json object = empty_object();
  put(object, "tenant", request.tenant);
  put(object, "contextId", request.context_id);
  if (request.status != TaskState::unspecified) object.set("status", to_string(request.status));
  put(object, "pageSize", request.page_size);
  put(object, "pageToken", request.page_token);
  put(object, "historyLength", request.history_length);
  if (request.status_timestamp_after)
    object.set("statusTimestampAfter", to_text(*request.status_timestamp_after));
  put_true(object, "includeArtifacts", request.include_artifacts);
  return object;
}

Json to_json(const ListTasksResponse& response, bool with_artifacts) {
  Json::Array tasks;
  for (const Task& each : response.tasks) {
    Json task = to_json(each);
    if (with_artifacts && each.artifacts.empty()) task.set("artifacts", Json(Json::Array()));
    tasks.push_back(std::move(task));
  }
  Json object;
  object.set("tasks", std::move(tasks));
  object.set("nextPageToken", response.next_page_token);
  object.set("pageSize", response.page_size);
  object.set("totalSize", response.total_size);
  return object;
}

Json to_json(const CancelTaskRequest& request) {
  Json object = empty_object();
  put(object, "tenant", request.tenant);
  object.set("id", request.id);
  put(object, "metadata", request.metadata);
  return object;
}

Json to_json(const SubscribeRequest& request) {
  Json object = empty_object();
  put(object, "tenant", request.tenant);
  object.set("id", request.id);
  return object;
}

Json to_json(const PushConfigRequest& request) {
  Json object = empty_object();
  put(object, "tenant", request.tenant);
  object.set("taskId", request.task_id);
  object.set("id", request.id);
  return object;
}

Json to_json(const ListPushConfigsRequest& request) {
  Json object = empty_object();
  put(object, "tenant", request.tenant);
  object.set("taskId", request.task_id);
  put(object, "pageSize", request.page_size);
  put(object, "pageToken", request.page_token);
  return object;
}

Json to_json(const ListPushConfigsResponse& response) {
  Json object;
  object.set("configs", array_of(response.configs));
  put(object, "nextPageToken", response.next_page_token);
  return object;
}

Json to_json(const GetCardRequest& request) {
  Json object = empty_object();
  put(object, "tenant", request.tenant);
  return object;
}

}  // namespace coracle::a2a
