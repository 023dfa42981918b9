// The tasks of a gateway. Nobody but its owner sees a task: for all others, there is none.
// Tests: gateways/a2a/tests/task_store_test.cpp
#pragma once

#include "coracle/a2a/model.hpp"
#include "coracle/a2a/task_limits.hpp"
#include "coracle/clock.hpp"

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::a2a {

// The agent that works at a task, and the caller that has given it.
struct Owner {
  std::string agent;
  std::string caller;

  friend auto operator<=>(const Owner&, const Owner&) = default;
};

// The present time of both clocks.
struct Moment {
  Time steady{};
  Timestamp calendar{};
};

// A change of a task, as an item of a stream. The numbers of a task's changes begin with 1.
struct TaskEvent {
  std::uint64_t number = 0;
  Time at{};
  std::shared_ptr<const std::string> item;  // JSON
};

class TaskStore {
 public:
  explicit TaskStore(TaskLimits limits) : limits_(limits) {}

  struct Begun {
    const Task* task;
    bool is_new;  // false: the same message has begun it before
  };
  // Begins a task with a client's message. `id` is new; so is `context`, which is used if the
  // message has none. Fails with Fault (exhausted, invalid_params).
  Begun begin(const Owner& owner, Message message, std::string id, std::string context, Moment now);
  // Adds a client's message to a task that waits for it, which then goes on. Returns nothing if the
  // task has that message already. Fails with Fault (task_not_found, invalid_params,
  // unsupported_operation, exhausted).
  std::optional<TaskEvent> go_on(const Owner& owner, Message message, Moment now);

  // The task of that owner. Fails with Fault (task_not_found).
  const Task& get(const Owner& owner, const std::string& id) const;
  // A task whose owner does not matter; nullptr if there is none.
  const Task* find(const std::string& id) const noexcept;
  const Owner* owner_of(const std::string& id) const noexcept;
  // The owner's tasks, those changed last first. Fails with Fault (invalid_params).
  ListTasksResponse list(const Owner& owner, const ListTasksRequest& request) const;

  // Changes a task; returns nothing if there is none, or if it has ended. A task that becomes too
  // large fails.
  std::optional<TaskEvent> set_status(const std::string& id, TaskState state,
                                      std::optional<Message> message, Moment now);
  std::optional<TaskEvent> add(const std::string& id, Artifact artifact, bool append,
                               bool last_chunk, Moment now);

  // The changes after the one of that number.
  struct Missed {
    std::vector<TaskEvent> events;
    std::uint64_t lost = 0;  // earlier ones that are not kept any more
  };
  Missed events_after(const std::string& id, std::uint64_t number) const;
  // The number of a task's last change.
  std::uint64_t last_event(const std::string& id) const noexcept;

  // Drops the tasks that have ended for too long, and old changes; returns the ids of those tasks.
  std::vector<std::string> forget(Moment now);
  std::size_t size() const noexcept { return entries_.size(); }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  struct Entry {
    Owner owner;
    Task task;
    std::vector<std::string> message_ids;
    std::deque<TaskEvent> events;
    std::size_t event_bytes = 0;
    std::uint64_t last_event = 0;
    std::uint64_t change = 0;  // its place in the order of changes
    Time changed_at{};
    std::size_t bytes = 0;
  };
  using Order = std::map<std::uint64_t, Entry*>;  // by the last change
  struct Account {
    std::size_t tasks = 0, unfinished = 0, bytes = 0;
    Order ended;
  };

  static std::string key_of(const Owner& owner, const std::string& message_id);
  Entry* entry(const std::string& id) noexcept;
  void make_room();
  void make_room(const std::string& caller);
  void note_change(Entry& entry, Moment now);
  void charge(Entry& entry, std::size_t bytes);
  void give_back(Entry& entry, std::size_t bytes);
  bool has_room(const Entry& entry, std::size_t more);
  TaskEvent log(Entry& entry, const StreamItem& item, Moment now);
  TaskEvent change_state(Entry& entry, TaskState state, std::optional<Message> message, Moment now);
  TaskEvent fail_large(Entry& entry, Moment now);
  void trim_events(Entry& entry, Time now);
  void remove(Entry& entry);

  const TaskLimits limits_;
  std::unordered_map<std::string, std::unique_ptr<Entry>> entries_;
  std::map<std::string, std::string> by_message_;  // the task that a message belongs to
  std::map<Owner, Order> by_owner_;
  std::map<std::string, Account> accounts_;  // by callers
  Order ended_;
  std::uint64_t last_change_ = 0;
  std::size_t bytes_ = 0;
};

// A copy with at most so many of the last messages; nothing: all of them.
Task with_history(Task task, std::optional<int> length);

}  // namespace coracle::a2a
