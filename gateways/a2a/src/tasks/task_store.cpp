#include "tasks/task_store.hpp"

#include "coracle/a2a/fault.hpp"
#include "coracle/a2a/model_json.hpp"
#include "tasks/weight.hpp"

#include <algorithm>

namespace coracle::a2a {

namespace {

Fault no_task(const std::string& id) {
  return Fault(FaultKind::task_not_found, "there is no such task; it may have been dropped",
               {{"taskId", id}});
}

Fault too_many(const char* what) {
  return Fault(FaultKind::exhausted,
               std::string("there are too many ") + what + "; wait until some have ended");
}

constexpr std::size_t bytes_of_a_task = 1024;  // without its messages and artifacts

}  // namespace

Task with_history(Task task, std::optional<int> length) {
  if (!length) return task;
  const auto most = static_cast<std::size_t>(std::max(0, *length));
  if (task.history.size() > most)
    task.history.erase(task.history.begin(), task.history.end() - static_cast<long>(most));
  return task;
}

std::string TaskStore::key_of(const Owner& owner, const std::string& message_id) {
  std::string key = owner.agent;
  return key.append(1, '\0').append(owner.caller).append(1, '\0').append(message_id);
}

TaskStore::Entry* TaskStore::entry(const std::string& id) noexcept {
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : found->second.get();
}

const Task* TaskStore::find(const std::string& id) const noexcept {
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : &found->second->task;
}

const Owner* TaskStore::owner_of(const std::string& id) const noexcept {
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : &found->second->owner;
}

const Task& TaskStore::get(const Owner& owner, const std::string& id) const {
  const auto found = entries_.find(id);
  if (found == entries_.end() || found->second->owner != owner) throw no_task(id);
  return found->second->task;
}

std::uint64_t TaskStore::last_event(const std::string& id) const noexcept {
  const auto found = entries_.find(id);
  return found == entries_.end() ? 0 : found->second->last_event;
}

// --- changes by clients ---

TaskStore::Begun TaskStore::begin(const Owner& owner, Message message, std::string id,
                                  std::string context, Moment now) {
  const std::string key = key_of(owner, message.message_id);
  if (const auto before = by_message_.find(key); before != by_message_.end())
    return {&entries_.at(before->second)->task, false};
  const std::size_t bytes = bytes_of_a_task + weight_of(message);
  if (bytes > limits_.bytes_per_task) throw Fault::at("message", "is too large");
  make_room(owner.caller);
  auto made = std::make_unique<Entry>();
  Entry& entry = *made;
  entry.owner = owner;
  entry.task.id = std::move(id);
  entry.task.context_id = message.context_id.empty() ? std::move(context) : message.context_id;
  entry.task.status = {TaskState::submitted, std::nullopt, now.calendar};
  message.task_id = entry.task.id;
  message.context_id = entry.task.context_id;
  entry.message_ids.push_back(message.message_id);
  entry.task.history.push_back(std::move(message));
  by_message_.emplace(key, entry.task.id);
  Account& account = accounts_[owner.caller];
  ++account.tasks;
  ++account.unfinished;
  entries_.emplace(entry.task.id, std::move(made));
  charge(entry, bytes);
  note_change(entry, now);
  return {&entry.task, true};
}

std::optional<TaskEvent> TaskStore::go_on(const Owner& owner, Message message, Moment now) {
  Entry* const found = entry(message.task_id);
  if (found == nullptr || found->owner != owner) throw no_task(message.task_id);
  const std::string key = key_of(owner, message.message_id);
  if (const auto before = by_message_.find(key); before != by_message_.end()) {
    if (before->second == message.task_id) return std::nullopt;
    throw Fault::at("message.messageId", "was used for another task; give each message its own");
  }
  Task& task = found->task;
  if (!message.context_id.empty() && message.context_id != task.context_id)
    throw Fault::at("message.contextId", "is not that of the task");
  const Fault::Details details = {{"taskId", task.id}, {"state", to_string(task.status.state)}};
  if (is_final(task.status.state))
    throw Fault(FaultKind::unsupported_operation,
                "the task has ended, and takes no more messages; begin another one", details);
  if (!is_interrupted(task.status.state))
    throw Fault(FaultKind::unsupported_operation,
                "the task works, and takes a message only when it asks for one; wait for that",
                details);
  const std::size_t bytes = weight_of(message);
  if (!has_room(*found, bytes)) throw too_many("messages and bytes in the task");
  message.context_id = task.context_id;
  charge(*found, bytes);
  if (task.status.message) task.history.push_back(std::move(*task.status.message));
  task.status.message.reset();
  found->message_ids.push_back(message.message_id);
  task.history.push_back(std::move(message));
  by_message_.emplace(key, task.id);
  return change_state(*found, TaskState::working, std::nullopt, now);
}

// --- changes by agents ---

std::optional<TaskEvent> TaskStore::set_status(const std::string& id, TaskState state,
                                               std::optional<Message> message, Moment now) {
  Entry* const found = entry(id);
  if (found == nullptr || is_final(found->task.status.state)) return std::nullopt;
  Task& task = found->task;
  const std::size_t bytes = message ? weight_of(*message) : 0;
  if (!has_room(*found, bytes)) return fail_large(*found, now);
  charge(*found, bytes);
  if (message) {
    message->task_id = task.id;
    message->context_id = task.context_id;
  }
  if (task.status.message) task.history.push_back(std::move(*task.status.message));
  return change_state(*found, state, std::move(message), now);
}

std::optional<TaskEvent> TaskStore::add(const std::string& id, Artifact artifact, bool append,
                                        bool last_chunk, Moment now) {
  Entry* const found = entry(id);
  if (found == nullptr || is_final(found->task.status.state)) return std::nullopt;
  Task& task = found->task;
  const std::size_t bytes = weight_of(artifact);
  const auto old =
      std::find_if(task.artifacts.begin(), task.artifacts.end(),
                   [&](const Artifact& each) { return each.artifact_id == artifact.artifact_id; });
  append = append && old != task.artifacts.end();
  if (!has_room(*found, bytes) ||
      (old == task.artifacts.end() && task.artifacts.size() >= limits_.artifacts))
    return fail_large(*found, now);
  charge(*found, bytes);
  TaskArtifactUpdate update{task.id, task.context_id, artifact, append, last_chunk};
  if (append) {
    old->parts.insert(old->parts.end(), artifact.parts.begin(), artifact.parts.end());
  } else if (old != task.artifacts.end()) {
    give_back(*found, weight_of(*old));
    *old = std::move(artifact);
  } else {
    task.artifacts.push_back(std::move(artifact));
  }
  note_change(*found, now);
  return log(*found, std::move(update), now);
}

TaskEvent TaskStore::fail_large(Entry& entry, Moment now) {
  Message why;
  why.message_id = entry.task.id + "-too-large";
  why.task_id = entry.task.id;
  why.context_id = entry.task.context_id;
  why.role = Role::agent;
  why.parts.push_back({std::string("the task has become too large")});
  return change_state(entry, TaskState::failed, std::move(why), now);
}

TaskEvent TaskStore::change_state(Entry& entry, TaskState state, std::optional<Message> message,
                                  Moment now) {
  Task& task = entry.task;
  task.status = {state, std::move(message), now.calendar};
  if (is_final(state)) --accounts_.at(entry.owner.caller).unfinished;
  note_change(entry, now);
  return log(entry, TaskStatusUpdate{task.id, task.context_id, task.status}, now);
}

// --- bookkeeping ---

void TaskStore::charge(Entry& entry, std::size_t bytes) {
  entry.bytes += bytes;
  accounts_.at(entry.owner.caller).bytes += bytes;
  bytes_ += bytes;
}

void TaskStore::give_back(Entry& entry, std::size_t bytes) {
  entry.bytes -= bytes;
  accounts_.at(entry.owner.caller).bytes -= bytes;
  bytes_ -= bytes;
}

// Returns whether a task may become larger; drops tasks that have ended for it.
bool TaskStore::has_room(const Entry& entry, std::size_t more) {
  if (entry.bytes + more > limits_.bytes_per_task || entry.task.history.size() >= limits_.messages)
    return false;
  Account& account = accounts_.at(entry.owner.caller);
  while (account.bytes + more > limits_.bytes_per_caller && !account.ended.empty())
    remove(*account.ended.begin()->second);
  while (bytes_ + more > limits_.bytes && !ended_.empty()) remove(*ended_.begin()->second);
  return account.bytes + more <= limits_.bytes_per_caller && bytes_ + more <= limits_.bytes;
}

void TaskStore::note_change(Entry& entry, Moment now) {
  Order& own = by_owner_[entry.owner];
  Account& account = accounts_.at(entry.owner.caller);
  own.erase(entry.change);
  entry.change = ++last_change_;
  entry.changed_at = now.steady;
  own.emplace(entry.change, &entry);
  if (!is_final(entry.task.status.state)) return;
  account.ended.emplace(entry.change, &entry);
  ended_.emplace(entry.change, &entry);
}

TaskEvent TaskStore::log(Entry& entry, const StreamItem& item, Moment now) {
  auto text = std::make_shared<const std::string>(web::to_text(to_json(item)));
  const TaskEvent event{++entry.last_event, now.steady, std::move(text)};
  entry.events.push_back(event);
  entry.event_bytes += event.item->size();
  charge(entry, event.item->size());
  trim_events(entry, now.steady);
  return event;
}

void TaskStore::trim_events(Entry& entry, Time now) {
  while (!entry.events.empty() &&
         (entry.events.size() > limits_.events || entry.event_bytes > limits_.event_bytes ||
          now - entry.events.front().at > limits_.events_for)) {
    entry.event_bytes -= entry.events.front().item->size();
    give_back(entry, entry.events.front().item->size());
    entry.events.pop_front();
  }
}

TaskStore::Missed TaskStore::events_after(const std::string& id, std::uint64_t number) const {
  Missed missed;
  const auto found = entries_.find(id);
  if (found == entries_.end()) return missed;
  const Entry& entry = *found->second;
  const std::uint64_t kept_from = entry.last_event - entry.events.size();
  if (number < kept_from) missed.lost = kept_from - number;
  for (const TaskEvent& each : entry.events)
    if (each.number > number) missed.events.push_back(each);
  return missed;
}

void TaskStore::make_room(const std::string& caller) {
  const auto known = accounts_.find(caller);
  if (known == accounts_.end()) return make_room();
  Account& account = known->second;
  if (account.unfinished >= limits_.unfinished_per_caller) throw too_many("unfinished tasks");
  while (account.tasks >= limits_.tasks_per_caller || account.bytes >= limits_.bytes_per_caller) {
    if (account.ended.empty()) throw too_many("unfinished tasks");
    const bool is_last = account.tasks == 1;  // then the account goes with the task
    remove(*account.ended.begin()->second);
    if (is_last) break;
  }
  make_room();
}

void TaskStore::make_room() {
  while (entries_.size() >= limits_.tasks || bytes_ >= limits_.bytes) {
    if (ended_.empty()) throw too_many("unfinished tasks");
    remove(*ended_.begin()->second);
  }
}

std::vector<std::string> TaskStore::forget(Moment now) {
  std::vector<std::string> gone;
  while (!ended_.empty() && now.steady - ended_.begin()->second->changed_at > limits_.ended_for) {
    gone.push_back(ended_.begin()->second->task.id);
    remove(*ended_.begin()->second);
  }
  for (auto& [id, each] : entries_) trim_events(*each, now.steady);
  return gone;
}

void TaskStore::remove(Entry& entry) {
  for (const std::string& each : entry.message_ids) by_message_.erase(key_of(entry.owner, each));
  const auto own = by_owner_.find(entry.owner);
  own->second.erase(entry.change);
  if (own->second.empty()) by_owner_.erase(own);
  Account& account = accounts_.at(entry.owner.caller);
  account.ended.erase(entry.change);
  ended_.erase(entry.change);
  give_back(entry, entry.bytes);
  if (--account.tasks == 0) accounts_.erase(entry.owner.caller);
  entries_.erase(std::string(entry.task.id));
}

}  // namespace coracle::a2a
