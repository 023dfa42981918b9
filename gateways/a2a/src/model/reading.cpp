#include "model/reading.hpp"
#include "coracle/a2a/model_json.hpp"
#include "coracle/web/base64.hpp"

#include <limits>

namespace coracle::a2a {

using web::JsonReader;

namespace {

// The parts of one message or artifact, and its other lists.
constexpr std::size_t most_parts = 1000, most_items = 10'000;
constexpr int most_whole = std::numeric_limits<int>::max();

Role role_in(const JsonReader& reader) {
  if (reader.text() == "ROLE_USER") return Role::user;
  if (reader.text() != "ROLE_AGENT") reader.fail("has to be ROLE_USER or ROLE_AGENT");
  return Role::agent;
}

std::optional<Timestamp> time_or_none(const JsonReader& in, std::string_view name) {
  const auto found = in.find(name);
  if (!found) return std::nullopt;
  const auto time = timestamp_in(found->text());
  if (!time) found->fail("has to be a time such as 2026-11-30T08:15:00.000Z");
  return time;
}

std::vector<Part> parts_in(const JsonReader& in) {
  std::vector<Part> parts = list_in<Part>(in, "parts", most_parts);
  if (parts.empty()) in.at("parts").fail("has to have a part");
  return parts;
}

std::optional<int> count_or_none(const JsonReader& in, std::string_view name, int least) {
  const auto found = in.find(name);
  if (!found) return std::nullopt;
  return static_cast<int>(found->whole(least, most_whole));
}

}  // namespace

std::string needed_text(const JsonReader& in, std::string_view name) {
  const JsonReader found = in.at(name);
  if (found.text().empty()) found.fail("is empty");
  return found.text();
}

Json object_or_null(const JsonReader& in, std::string_view name) {
  const auto found = in.find(name);
  return found ? found->object() : Json();
}

template <>
Part read(const JsonReader& in) {
  Part part;
  int kinds = 0;
  if (const auto text = in.find("text")) part.content = text->text(), ++kinds;
  if (const auto raw = in.find("raw")) {
    auto bytes = web::from_base64(raw->text());
    if (!bytes) raw->fail("is not in base64");
    part.content = Raw{*std::move(bytes)};
    ++kinds;
  }
  if (const auto url = in.find("url")) part.content = FileUrl{url->text()}, ++kinds;
  // Null is a value, too.
  if (const Json* const data = in.object().find("data")) part.content = *data, ++kinds;
  if (kinds != 1) in.fail("has to have exactly one of text, raw, url and data");
  part.metadata = object_or_null(in, "metadata");
  part.filename = in.text_or_empty("filename");
  part.media_type = in.text_or_empty("mediaType");
  return part;
}

template <>
Message read(const JsonReader& in) {
  Message message;
  message.message_id = needed_text(in, "messageId");
  message.context_id = in.text_or_empty("contextId");
  message.task_id = in.text_or_empty("taskId");
  message.role = role_in(in.at("role"));
  message.parts = parts_in(in);
  message.metadata = object_or_null(in, "metadata");
  message.extensions = in.texts_or_none("extensions");
  message.reference_task_ids = in.texts_or_none("referenceTaskIds");
  return message;
}

template <>
Artifact read(const JsonReader& in) {
  Artifact artifact;
  artifact.artifact_id = needed_text(in, "artifactId");
  artifact.name = in.text_or_empty("name");
  artifact.description = in.text_or_empty("description");
  artifact.parts = parts_in(in);
  artifact.metadata = object_or_null(in, "metadata");
  artifact.extensions = in.texts_or_none("extensions");
  return artifact;
}

template <>
TaskStatus read(const JsonReader& in) {
  TaskStatus status;
  status.state = state_in(in.at("state"));
  if (const auto message = in.find("message")) status.message = read<Message>(*message);
  status.timestamp = time_or_none(in, "timestamp");
  return status;
}

template <>
Task read(const JsonReader& in) {
  Task task;
  task.id = needed_text(in, "id");
  task.context_id = in.text_or_empty("contextId");
  task.status = read<TaskStatus>(in.at("status"));
  task.artifacts = list_in<Artifact>(in, "artifacts", most_items);
  task.history = list_in<Message>(in, "history", most_items);
  task.metadata = object_or_null(in, "metadata");
  return task;
}

template <>
TaskStatusUpdate read(const JsonReader& in) {
  return {needed_text(in, "taskId"), needed_text(in, "contextId"),
          read<TaskStatus>(in.at("status")), object_or_null(in, "metadata")};
}

template <>
TaskArtifactUpdate read(const JsonReader& in) {
  return {needed_text(in, "taskId"),         needed_text(in, "contextId"),
          read<Artifact>(in.at("artifact")), in.truth_or_false("append"),
          in.truth_or_false("lastChunk"),    object_or_null(in, "metadata")};
}

template <>
StreamItem read(const JsonReader& in) {
  std::optional<StreamItem> item;
  int kinds = 0;
  if (const auto task = in.find("task")) item = read<Task>(*task), ++kinds;
  if (const auto message = in.find("message")) item = read<Message>(*message), ++kinds;
  if (const auto update = in.find("statusUpdate")) item = read<TaskStatusUpdate>(*update), ++kinds;
  if (const auto update = in.find("artifactUpdate"))
    item = read<TaskArtifactUpdate>(*update), ++kinds;
  if (kinds != 1)
    in.fail("has to have exactly one of task, message, statusUpdate and artifactUpdate");
  return *std::move(item);
}

template <>
PushConfig read(const JsonReader& in) {
  PushConfig config;
  config.tenant = in.text_or_empty("tenant");
  config.id = in.text_or_empty("id");
  config.task_id = in.text_or_empty("taskId");
  config.url = needed_text(in, "url");
  config.token = in.text_or_empty("token");
  if (const auto authentication = in.find("authentication")) {
    config.scheme = needed_text(*authentication, "scheme");
    config.credentials = authentication->text_or_empty("credentials");
  }
  return config;
}

namespace {

SendConfiguration configuration_in(const JsonReader& in) {
  SendConfiguration configuration;
  configuration.accepted_output_modes = in.texts_or_none("acceptedOutputModes");
  if (const auto push = in.find("taskPushNotificationConfig"))
    configuration.push = read<PushConfig>(*push);
  configuration.history_length = count_or_none(in, "historyLength", 0);
  configuration.return_immediately = in.truth_or_false("returnImmediately");
  return configuration;
}

}  // namespace

template <>
SendMessageRequest read(const JsonReader& in) {
  SendMessageRequest request;
  request.tenant = in.text_or_empty("tenant");
  request.message = read<Message>(in.at("message"));
  if (const auto found = in.find("configuration")) request.configuration = configuration_in(*found);
  request.metadata = object_or_null(in, "metadata");
  return request;
}

template <>
GetTaskRequest read(const JsonReader& in) {
  return {in.text_or_empty("tenant"), needed_text(in, "id"), count_or_none(in, "historyLength", 0)};
}

template <>
ListTasksRequest read(const JsonReader& in) {
  ListTasksRequest request;
  request.tenant = in.text_or_empty("tenant");
  request.context_id = in.text_or_empty("contextId");
  if (const auto status = in.find("status")) request.status = state_in(*status);
  request.page_size = count_or_none(in, "pageSize", 1);
  request.page_token = in.text_or_empty("pageToken");
  request.history_length = count_or_none(in, "historyLength", 0);
  request.status_timestamp_after = time_or_none(in, "statusTimestampAfter");
  request.include_artifacts = in.truth_or_false("includeArtifacts");
  return request;
}

template <>
ListTasksResponse read(const JsonReader& in) {
  ListTasksResponse response;
  response.tasks = list_in<Task>(in, "tasks", most_items);
  response.next_page_token = in.text_or_empty("nextPageToken");
  response.page_size = count_or_none(in, "pageSize", 0).value_or(0);
  response.total_size = count_or_none(in, "totalSize", 0).value_or(0);
  return response;
}

template <>
CancelTaskRequest read(const JsonReader& in) {
  return {in.text_or_empty("tenant"), needed_text(in, "id"), object_or_null(in, "metadata")};
}

template <>
SubscribeRequest read(const JsonReader& in) {
  return {in.text_or_empty("tenant"), needed_text(in, "id")};
}

template <>
PushConfigRequest read(const JsonReader& in) {
  return {in.text_or_empty("tenant"), needed_text(in, "taskId"), needed_text(in, "id")};
}

template <>
ListPushConfigsRequest read(const JsonReader& in) {
  return {in.text_or_empty("tenant"), needed_text(in, "taskId"), count_or_none(in, "pageSize", 0),
          in.text_or_empty("pageToken")};
}

template <>
ListPushConfigsResponse read(const JsonReader& in) {
  return {list_in<PushConfig>(in, "configs", most_items), in.text_or_empty("nextPageToken")};
}

template <>
GetCardRequest read(const JsonReader& in) {
  return {in.text_or_empty("tenant")};
}

TaskState state_in(const JsonReader& in) {
  const auto state = task_state_in(in.text());
  if (!state) in.fail("is no state of a task, such as TASK_STATE_WORKING");
  return *state;
}

}  // namespace coracle::a2a
