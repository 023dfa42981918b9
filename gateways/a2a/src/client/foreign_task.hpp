// A task of a foreign agent, as its client learns it from the items that the agent's server sends.
// Tests: gateways/a2a/tests/client/foreign_task_test.cpp, tests/fuzz/a2a_answer_fuzz.cpp
#pragma once

#include "coracle/a2a/model.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace coracle::a2a {

class ForeignTask {
 public:
  // The limits of the task with its results, in bytes, and of the items.
  ForeignTask(std::size_t bytes, std::size_t items) : most_bytes_(bytes), most_items_(items) {}

  // The news of one item.
  struct News {
    std::vector<Part> pieces = {};  // of the result
    std::string progress = {};
  };

  // Takes the next item, the first of which is a task, or a message. `bytes` is its size in a
  // stream, with all that is not used of it; those of all items may be eight times the limit, since
  // JSON may write six bytes for one. Fails with Fault (invalid_agent_response) if it does not fit,
  // or beyond a limit.
  News take(StreamItem item, std::size_t bytes = 0);
  // The client has answered; the task goes on.
  void go_on() noexcept { task_.status.state = TaskState::working; }

  // The agent has replied by a message, or the task has ended.
  bool is_over() const noexcept { return is_message_ || is_final(task_.status.state); }
  bool waits_for_client() const noexcept { return !is_over() && is_interrupted(state()); }
  // Nothing comes any more, unless the client sends a message.
  bool rests() const noexcept { return is_over() || waits_for_client(); }
  // The task's id; empty if there is none.
  const std::string& id() const noexcept { return task_.id; }
  const std::string& context() const noexcept { return task_.context_id; }
  TaskState state() const noexcept { return task_.status.state; }
  // The text of the last status: a question, or the reason of the end.
  std::string text() const;
  // The parts of all artifacts, or of the message; those of the last status if there are none.
  std::vector<Part> result() const;

 private:
  News take_task(Task task);
  News take_message(Message message);
  News take_status(TaskStatusUpdate update);
  News take_artifact(TaskArtifactUpdate update);
  std::span<const Part> new_parts(const Artifact& artifact) const;
  void check_id(const std::string& id) const;
  void count(std::size_t bytes);

  const std::size_t most_bytes_, most_items_;
  std::size_t bytes_ = 0, items_ = 0, streamed_ = 0;
  bool is_message_ = false;
  Task task_;
};

}  // namespace coracle::a2a
