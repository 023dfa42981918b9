#include "model/tool_task.hpp"

#include "model/results.hpp"

#include "coracle/support/mutations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coracle::mcp {

namespace {

constexpr std::int64_t poll_interval_ms = 1000;

const char* word_of(TaskStatus status) noexcept {
  switch (status) {
    case TaskStatus::working:
      return "working";
    case TaskStatus::input_required:
      return "input_required";
    case TaskStatus::completed:
      return "completed";
    case TaskStatus::cancelled:
      break;
  }
  return "cancelled";
}

}  // namespace

std::string to_text(CalendarTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

Json to_json(const ToolTask& task) {
  const auto kept = std::chrono::duration_cast<std::chrono::milliseconds>(task.kept);
  Json made;
  made.set("taskId", task.id).set("status", word_of(task.status));
  if (!task.step.empty()) made.set("statusMessage", task.step);
  made.set("createdAt", to_text(task.begun))
      .set("lastUpdatedAt", to_text(task.changed))
      .set("ttlMs", kept.count())
      .set("pollIntervalMs", poll_interval_ms);
  if (task.status == TaskStatus::input_required)
    made.set("inputRequests", input_requests(task.question_key(), task.question));
  if (task.status == TaskStatus::completed) made.set("result", task.result);
  return made;
}

bool ToolTasks::make_room(const std::string& caller) {
  const auto own = counts_.find(caller);
  const std::size_t count = own == counts_.end() ? 0 : own->second;
  if (all_.size() < limits_.all && count < limits_.of_caller) return true;
  const auto oldest = oldest_ended(caller);
  if (oldest == all_.end()) return false;
  forget(oldest);
  return all_.size() < limits_.all;
}

ToolTask& ToolTasks::add(ToolTask task) {
  ++counts_[task.caller];
  std::string id = task.id;
  return all_.emplace(std::move(id), std::move(task)).first->second;
}

ToolTask* ToolTasks::find(std::string_view id) noexcept {
  const auto found = all_.find(id);
  return found == all_.end() ? nullptr : &found->second;
}

ToolTask* ToolTasks::find(std::string_view id, std::string_view caller) noexcept {
  ToolTask* const found = find(id);
  const bool is_own = found != nullptr && (found->caller == caller || mutated(Mutation::any_task));
  return is_own ? found : nullptr;
}

void ToolTasks::end(ToolTask& task, TaskStatus status, Json result, CalendarTime now) {
  task.status = status;
  task.changed = now;
  task.question.clear();
  task.errand = nullptr;
  task.tool = nullptr;
  task.result = std::move(result);
  task.result_bytes = task.result.bytes();
  bytes_[task.caller] += task.result_bytes;
  all_bytes_ += task.result_bytes;
  // `task` may be one of those that are forgotten.
  while (all_bytes_ > limits_.result_bytes) forget(oldest_ended(caller_with_most()));
}

void ToolTasks::sweep(Time now) {
  for (auto each = all_.begin(); each != all_.end();) {
    const auto next = std::next(each);
    if (each->second.has_ended() && now >= each->second.until) forget(each);
    each = next;
  }
}

void ToolTasks::forget(All::iterator task) {
  const std::string caller = std::move(task->second.caller);
  const std::size_t bytes = task->second.result_bytes;
  all_.erase(task);
  all_bytes_ -= bytes;
  if (const auto held = bytes_.find(caller); held != bytes_.end() && (held->second -= bytes) == 0)
    bytes_.erase(held);
  if (const auto own = counts_.find(caller); --own->second == 0) counts_.erase(own);
}

ToolTasks::All::iterator ToolTasks::oldest_ended(const std::string& caller) {
  auto oldest = all_.end();
  for (auto each = all_.begin(); each != all_.end(); ++each) {
    const ToolTask& task = each->second;
    if (!task.has_ended() || task.caller != caller) continue;
    if (oldest == all_.end() || task.until < oldest->second.until) oldest = each;
  }
  return oldest;
}

const std::string& ToolTasks::caller_with_most() const {
  return std::ranges::max_element(bytes_, {}, [](const auto& each) { return each.second; })->first;
}

}  // namespace coracle::mcp
