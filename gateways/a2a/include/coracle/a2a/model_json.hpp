// The objects of A2A as JSON. Readers accept what strangers send: they ignore members that they do
// not know, and fail with web::JsonError, whose place is that of the value.
// Tests: gateways/a2a/tests/model_json_test.cpp, card_json_test.cpp, tests/fuzz/a2a_model_fuzz.cpp
#pragma once

#include "coracle/a2a/card.hpp"
#include "coracle/a2a/model.hpp"
#include "coracle/web/json_reader.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace coracle::a2a {

// The name of a state: "TASK_STATE_WORKING".
const char* to_string(TaskState state) noexcept;
std::optional<TaskState> task_state_in(std::string_view name) noexcept;

// A time as text, 2026-11-30T08:15:00.000Z, and back. A time that is read may have another zone.
std::string to_text(Timestamp time);
std::optional<Timestamp> timestamp_in(std::string_view text) noexcept;

Json to_json(const Part& part);
Json to_json(const Message& message);
Json to_json(const Artifact& artifact);
Json to_json(const TaskStatus& status);
Json to_json(const Task& task);
Json to_json(const TaskStatusUpdate& update);
Json to_json(const TaskArtifactUpdate& update);
Json to_json(const StreamItem& item);
Json to_json(const PushConfig& config);
Json to_json(const SendMessageRequest& request);
Json to_json(const GetTaskRequest& request);
Json to_json(const ListTasksRequest& request);
Json to_json(const ListTasksResponse& response, bool with_artifacts = true);
Json to_json(const CancelTaskRequest& request);
Json to_json(const SubscribeRequest& request);
Json to_json(const PushConfigRequest& request);
Json to_json(const ListPushConfigsRequest& request);
Json to_json(const ListPushConfigsResponse& response);
Json to_json(const GetCardRequest& request);
Json to_json(const AgentCard& card);

// Reads an object into its type: read<Task>(reader).
template <class T>
T read(const web::JsonReader& reader);
template <>
Part read(const web::JsonReader& reader);
template <>
Message read(const web::JsonReader& reader);
template <>
Artifact read(const web::JsonReader& reader);
template <>
TaskStatus read(const web::JsonReader& reader);
template <>
Task read(const web::JsonReader& reader);
template <>
TaskStatusUpdate read(const web::JsonReader& reader);
template <>
TaskArtifactUpdate read(const web::JsonReader& reader);
template <>
StreamItem read(const web::JsonReader& reader);
template <>
PushConfig read(const web::JsonReader& reader);
template <>
SendMessageRequest read(const web::JsonReader& reader);
template <>
GetTaskRequest read(const web::JsonReader& reader);
template <>
ListTasksRequest read(const web::JsonReader& reader);
template <>
ListTasksResponse read(const web::JsonReader& reader);
template <>
CancelTaskRequest read(const web::JsonReader& reader);
template <>
SubscribeRequest read(const web::JsonReader& reader);
template <>
PushConfigRequest read(const web::JsonReader& reader);
template <>
ListPushConfigsRequest read(const web::JsonReader& reader);
template <>
ListPushConfigsResponse read(const web::JsonReader& reader);
template <>
GetCardRequest read(const web::JsonReader& reader);
template <>
AgentCard read(const web::JsonReader& reader);

}  // namespace coracle::a2a
