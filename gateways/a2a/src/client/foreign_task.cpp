#include "client/foreign_task.hpp"

#include "coracle/a2a/fault.hpp"
#include "tasks/weight.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace coracle::a2a {

namespace {

constexpr std::size_t longest_foreign_id = 1000, streamed_for_one = 8;

Fault wrong_item(const char* what) {
  return Fault(FaultKind::invalid_agent_response,
               std::string("the foreign agent has sent ") + what);
}

// The texts among the parts.
std::string texts_of(const std::vector<Part>& parts) {
  std::string all;
  for (const Part& each : parts) {
    const auto* const text = std::get_if<std::string>(&each.content);
    if (text == nullptr) continue;
    if (!all.empty()) all += '\n';
    all += *text;
  }
  return all;
}

}  // namespace

ForeignTask::News ForeignTask::take(StreamItem item, std::size_t bytes) {
  if (++items_ > most_items_) throw wrong_item("more changes of one task than are permitted");
  streamed_ += bytes;
  if (streamed_ / streamed_for_one > most_bytes_) throw wrong_item("more bytes than are permitted");
  if (auto* const task = std::get_if<Task>(&item)) return take_task(std::move(*task));
  if (auto* const message = std::get_if<Message>(&item)) return take_message(std::move(*message));
  if (auto* const status = std::get_if<TaskStatusUpdate>(&item))
    return take_status(std::move(*status));
  return take_artifact(std::get<TaskArtifactUpdate>(std::move(item)));
}

void ForeignTask::check_id(const std::string& id) const {
  if (is_message_ || (!task_.id.empty() && id != task_.id))
    throw wrong_item("a change of another task");
  if (id.empty() || id.size() > longest_foreign_id) throw wrong_item("a task without a usable id");
}

void ForeignTask::count(std::size_t bytes) {
  if (bytes > most_bytes_ - bytes_) throw wrong_item("a larger result than is permitted");
  bytes_ += bytes;
}

// Returns the parts of an artifact behind those that are known.
std::span<const Part> ForeignTask::new_parts(const Artifact& artifact) const {
  const std::span<const Part> parts = artifact.parts;
  const auto old =
      std::find_if(task_.artifacts.begin(), task_.artifacts.end(),
                   [&](const Artifact& each) { return each.artifact_id == artifact.artifact_id; });
  if (old == task_.artifacts.end() || old->parts.size() > parts.size()) return parts;
  const bool goes_on = std::equal(old->parts.begin(), old->parts.end(), parts.begin());
  return goes_on ? parts.subspan(old->parts.size()) : parts;
}

// The task as it is now, which contains everything that came before. Its history is not used.
ForeignTask::News ForeignTask::take_task(Task task) {
  check_id(task.id);
  bytes_ = 0;
  if (task.status.message) count(weight_of(*task.status.message));
  for (const Artifact& each : task.artifacts) count(weight_of(each));
  News news;
  for (const Artifact& each : task.artifacts) {
    const std::span<const Part> parts = new_parts(each);
    news.pieces.insert(news.pieces.end(), parts.begin(), parts.end());
  }
  task_ = std::move(task);
  task_.history.clear();
  if (state() == TaskState::working) news.progress = text();
  return news;
}

ForeignTask::News ForeignTask::take_message(Message message) {
  if (is_message_ || !task_.id.empty()) throw wrong_item("a message in the middle of a task");
  count(weight_of(message));
  task_.context_id = message.context_id;
  task_.status.message = std::move(message);
  is_message_ = true;
  return {};
}

ForeignTask::News ForeignTask::take_status(TaskStatusUpdate update) {
  check_id(update.task_id);
  if (is_over()) throw wrong_item("a change behind the end of the task");
  if (update.status.message) count(weight_of(*update.status.message));
  task_.id = std::move(update.task_id);
  if (!update.context_id.empty()) task_.context_id = std::move(update.context_id);
  task_.status = std::move(update.status);
  News news;
  if (state() == TaskState::working) news.progress = text();
  return news;
}

ForeignTask::News ForeignTask::take_artifact(TaskArtifactUpdate update) {
  check_id(update.task_id);
  if (is_over()) throw wrong_item("a change behind the end of the task");
  count(weight_of(update.artifact));
  task_.id = std::move(update.task_id);
  if (!update.context_id.empty()) task_.context_id = std::move(update.context_id);
  News news;
  news.pieces = update.artifact.parts;
  auto& all = task_.artifacts;
  const auto old = std::find_if(all.begin(), all.end(), [&](const Artifact& each) {
    return each.artifact_id == update.artifact.artifact_id;
  });
  if (old == all.end()) all.push_back(std::move(update.artifact));
  else if (!update.append) *old = std::move(update.artifact);
  else old->parts.insert(old->parts.end(), news.pieces.begin(), news.pieces.end());
  return news;
}

std::string ForeignTask::text() const {
  return task_.status.message ? texts_of(task_.status.message->parts) : std::string();
}

std::vector<Part> ForeignTask::result() const {
  std::vector<Part> parts;
  for (const Artifact& each : task_.artifacts)
    parts.insert(parts.end(), each.parts.begin(), each.parts.end());
  if (parts.empty() && task_.status.message) parts = task_.status.message->parts;
  return parts;
}

}  // namespace coracle::a2a
