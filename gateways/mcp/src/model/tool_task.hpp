// Uses of tools that go on when their requests have got a response: the extension
// io.modelcontextprotocol/tasks. Pure: times come from outside.
// Tests: gateways/mcp/tests/tool_task_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/web/json.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace coracle::mcp {

class Errand;
struct AddedTool;

using CalendarTime = std::chrono::sys_time<std::chrono::milliseconds>;

enum class TaskStatus : std::uint8_t { working, input_required, completed, cancelled };

struct ToolTask {
  std::string id, caller;
  CalendarTime begun = {};
  // The time for which the task is kept, from its beginning.
  Duration kept = {};
  Time until = {};
  CalendarTime changed = {};
  TaskStatus status = TaskStatus::working;
  // The last step that the agent has shown.
  std::string step = {};
  // The question that waits for an answer, and how many there were.
  std::string question = {};
  std::size_t questions = 0;
  // The result of tools/call, when there is one.
  web::Json result = {};
  std::size_t result_bytes = 0;
  // The request to the agent, while it is under way; and the function, unless it is only asked.
  std::shared_ptr<Errand> errand = nullptr;
  std::shared_ptr<const AddedTool> tool = nullptr;

  bool has_ended() const noexcept {
    return status == TaskStatus::completed || status == TaskStatus::cancelled;
  }
  // The key of the present question; each question of a task has another one.
  std::string question_key() const { return "question" + std::to_string(questions); }
};

// A task as it is shown to its client.
web::Json to_json(const ToolTask& task);
// A time as in 2026-11-30T12:00:00.000Z.
std::string to_text(CalendarTime time);

// The tasks of all callers, by their numbers, which nobody can guess.
class ToolTasks {
 public:
  struct Limits {
    std::size_t all = 1000, of_caller = 100;
    // The memory of the results, about. The caller with the largest results loses the oldest ones.
    std::size_t result_bytes = std::size_t{64} << 20;
  };

  explicit ToolTasks(Limits limits) : limits_(limits) {}

  // Makes room by forgetting the caller's oldest task that has ended, if necessary. Returns whether
  // there is room for another one.
  bool make_room(const std::string& caller);
  // Requires that there is room.
  ToolTask& add(ToolTask task);
  // The task of that caller; nullptr if there is none.
  ToolTask* find(std::string_view id, std::string_view caller) noexcept;
  // The same, whoever the caller is.
  ToolTask* find(std::string_view id) noexcept;
  // Ends a task that is under way. A result for which there is no room is forgotten with its task.
  void end(ToolTask& task, TaskStatus status, web::Json result, CalendarTime now);
  // Forgets the tasks whose time is over.
  void sweep(Time now);

  std::size_t size() const noexcept { return all_.size(); }

 private:
  using All = std::map<std::string, ToolTask, std::less<>>;

  void forget(All::iterator task);
  // The oldest task of a caller that has ended.
  All::iterator oldest_ended(const std::string& caller);
  const std::string& caller_with_most() const;

  const Limits limits_;
  All all_;
  std::map<std::string, std::size_t, std::less<>> counts_, bytes_;  // by caller
  std::size_t all_bytes_ = 0;
};

}  // namespace coracle::mcp
