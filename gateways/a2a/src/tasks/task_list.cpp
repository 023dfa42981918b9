// Lists of tasks, page by page.
#include "coracle/a2a/fault.hpp"
#include "tasks/task_store.hpp"

#include <algorithm>
#include <charconv>

namespace coracle::a2a {

namespace {

constexpr int usual_page = 50, largest_page = 100;
// A page ends early with the task that exceeds these bytes.
constexpr std::size_t largest_list = std::size_t{4} << 20;

bool is_wanted(const Task& task, const ListTasksRequest& request) {
  const TaskStatus& status = task.status;
  if (!request.context_id.empty() && task.context_id != request.context_id) return false;
  if (request.status != TaskState::unspecified && status.state != request.status) return false;
  return !request.status_timestamp_after || status.timestamp >= request.status_timestamp_after;
}

// A copy of what the client wants to see of a task.
Task shown_of(const Task& task, const ListTasksRequest& request) {
  Task shown{task.id, task.context_id, task.status};
  shown.metadata = task.metadata;
  if (request.include_artifacts) shown.artifacts = task.artifacts;
  const auto most = static_cast<std::size_t>(std::max(0, request.history_length.value_or(0)));
  const std::size_t count = std::min(most, task.history.size());
  shown.history.assign(task.history.end() - static_cast<long>(count), task.history.end());
  return shown;
}

// A token is the place of the last task that was shown, in the order of changes.
std::uint64_t place_in(const std::string& token) {
  if (token.empty()) return ~std::uint64_t{0};
  std::uint64_t place = 0;
  const char* const end = token.data() + token.size();
  const auto read = std::from_chars(token.data(), end, place);
  if (read.ec != std::errc() || read.ptr != end)
    throw Fault::at("pageToken", "is not one that this server has given");
  return place;
}

}  // namespace

ListTasksResponse TaskStore::list(const Owner& owner, const ListTasksRequest& request) const {
  ListTasksResponse response;
  const int size = request.page_size.value_or(usual_page);
  if (size < 1 || size > largest_page) throw Fault::at("pageSize", "has to be from 1 to 100");
  const std::uint64_t before = place_in(request.page_token);
  response.page_size = size;
  const auto own = by_owner_.find(owner);
  if (own == by_owner_.end()) return response;
  std::uint64_t last = 0;
  std::size_t bytes = 0;
  for (auto each = own->second.rbegin(); each != own->second.rend(); ++each) {
    const Task& task = each->second->task;
    if (!is_wanted(task, request)) continue;
    ++response.total_size;
    if (each->first >= before) continue;
    if (response.tasks.size() < static_cast<std::size_t>(size) && bytes < largest_list) {
      Task shown = shown_of(task, request);
      if (request.include_artifacts || request.history_length) bytes += each->second->bytes;
      response.tasks.push_back(std::move(shown));
      last = each->first;
    } else if (response.next_page_token.empty()) {
      response.next_page_token = std::to_string(last);
    }
  }
  return response;
}

}  // namespace coracle::a2a
