// The objects of A2A 1.0 (Agent2Agent), as its a2a.proto has them. Their JSON is in
// <coracle/a2a/model_json.hpp>. Tests: gateways/a2a/tests/model_json_test.cpp
#pragma once

#include "coracle/web/json.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::a2a {

using web::Json;

// A time of the calendar, in UTC.
using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

// The state of a task.
enum class TaskState : std::uint8_t {
  unspecified,
  submitted,
  working,
  completed,
  failed,
  canceled,
  input_required,
  rejected,
  auth_required,
};

// Returns whether a task in that state has ended.
constexpr bool is_final(TaskState state) noexcept {
  return state == TaskState::completed || state == TaskState::failed ||
         state == TaskState::canceled || state == TaskState::rejected;
}
// Returns whether a task in that state waits for its client.
constexpr bool is_interrupted(TaskState state) noexcept {
  return state == TaskState::input_required || state == TaskState::auth_required;
}

// The side that a message comes from.
enum class Role : std::uint8_t { unspecified, user, agent };

// The bytes of a file.
struct Raw {
  std::string bytes;
  friend bool operator==(const Raw&, const Raw&) = default;
};
// The address of a file.
struct FileUrl {
  std::string url;
  friend bool operator==(const FileUrl&, const FileUrl&) = default;
};

// A part of a message or of an artifact.
struct Part {
  // A text, a file, the address of a file, or any value.
  std::variant<std::string, Raw, FileUrl, Json> content;
  Json metadata = {};  // an object, or null
  std::string filename = {};
  std::string media_type = {};

  friend bool operator==(const Part&, const Part&) = default;
};

// A message of a client or of an agent.
struct Message {
  std::string message_id;
  std::string context_id = {};
  std::string task_id = {};
  Role role = Role::unspecified;
  std::vector<Part> parts = {};
  Json metadata = {};  // an object, or null
  std::vector<std::string> extensions = {};
  std::vector<std::string> reference_task_ids = {};

  friend bool operator==(const Message&, const Message&) = default;
};

// A result of a task.
struct Artifact {
  std::string artifact_id;
  std::string name = {};
  std::string description = {};
  std::vector<Part> parts = {};
  Json metadata = {};  // an object, or null
  std::vector<std::string> extensions = {};

  friend bool operator==(const Artifact&, const Artifact&) = default;
};

// The state of a task, with what its agent says about it.
struct TaskStatus {
  TaskState state = TaskState::unspecified;
  std::optional<Message> message = {};
  std::optional<Timestamp> timestamp = {};

  friend bool operator==(const TaskStatus&, const TaskStatus&) = default;
};

// A unit of work.
struct Task {
  std::string id;
  std::string context_id = {};
  TaskStatus status = {};
  std::vector<Artifact> artifacts = {};
  std::vector<Message> history = {};
  Json metadata = {};  // an object, or null

  friend bool operator==(const Task&, const Task&) = default;
};

// A change of a task's state.
struct TaskStatusUpdate {
  std::string task_id;
  std::string context_id;
  TaskStatus status;
  Json metadata = {};  // an object, or null

  friend bool operator==(const TaskStatusUpdate&, const TaskStatusUpdate&) = default;
};

// A new artifact, or more of one.
struct TaskArtifactUpdate {
  std::string task_id;
  std::string context_id;
  Artifact artifact;
  bool append = false;      // its parts go behind those that the artifact has
  bool last_chunk = false;  // the artifact is complete
  Json metadata = {};       // an object, or null

  friend bool operator==(const TaskArtifactUpdate&, const TaskArtifactUpdate&) = default;
};

// An item of a stream, or of a push notification.
using StreamItem = std::variant<Task, Message, TaskStatusUpdate, TaskArtifactUpdate>;

// The place where a client wants to be notified of a task's changes.
struct PushConfig {
  std::string tenant = {};
  std::string id = {};
  std::string task_id = {};
  std::string url = {};
  std::string token = {};
  // The scheme and the credentials of the header Authorization; empty: the client needs none.
  std::string scheme = {};
  std::string credentials = {};

  friend bool operator==(const PushConfig&, const PushConfig&) = default;
};

// The wishes of a client that sends a message.
struct SendConfiguration {
  std::vector<std::string> accepted_output_modes = {};
  std::optional<PushConfig> push = {};
  std::optional<int> history_length = {};
  bool return_immediately = false;

  friend bool operator==(const SendConfiguration&, const SendConfiguration&) = default;
};

// --- the requests of the operations ---

struct SendMessageRequest {
  std::string tenant = {};
  Message message = {};
  SendConfiguration configuration = {};
  Json metadata = {};  // an object, or null

  friend bool operator==(const SendMessageRequest&, const SendMessageRequest&) = default;
};

struct GetTaskRequest {
  std::string tenant = {};
  std::string id = {};
  std::optional<int> history_length = {};

  friend bool operator==(const GetTaskRequest&, const GetTaskRequest&) = default;
};

struct ListTasksRequest {
  std::string tenant = {};
  std::string context_id = {};
  TaskState status = TaskState::unspecified;
  std::optional<int> page_size = {};
  std::string page_token = {};
  std::optional<int> history_length = {};
  std::optional<Timestamp> status_timestamp_after = {};
  bool include_artifacts = false;

  friend bool operator==(const ListTasksRequest&, const ListTasksRequest&) = default;
};

struct ListTasksResponse {
  std::vector<Task> tasks = {};
  std::string next_page_token = {};
  int page_size = 0;
  int total_size = 0;

  friend bool operator==(const ListTasksResponse&, const ListTasksResponse&) = default;
};

struct CancelTaskRequest {
  std::string tenant = {};
  std::string id = {};
  Json metadata = {};  // an object, or null

  friend bool operator==(const CancelTaskRequest&, const CancelTaskRequest&) = default;
};

struct SubscribeRequest {
  std::string tenant = {};
  std::string id = {};

  friend bool operator==(const SubscribeRequest&, const SubscribeRequest&) = default;
};

// A push configuration of a task, for getting and for deleting it.
struct PushConfigRequest {
  std::string tenant = {};
  std::string task_id = {};
  std::string id = {};

  friend bool operator==(const PushConfigRequest&, const PushConfigRequest&) = default;
};

struct ListPushConfigsRequest {
  std::string tenant = {};
  std::string task_id = {};
  std::optional<int> page_size = {};
  std::string page_token = {};

  friend bool operator==(const ListPushConfigsRequest&, const ListPushConfigsRequest&) = default;
};

struct ListPushConfigsResponse {
  std::vector<PushConfig> configs = {};
  std::string next_page_token = {};

  friend bool operator==(const ListPushConfigsResponse&, const ListPushConfigsResponse&) = default;
};

struct GetCardRequest {
  std::string tenant = {};

  friend bool operator==(const GetCardRequest&, const GetCardRequest&) = default;
};

}  // namespace coracle::a2a
