#include "server/watchers.hpp"

#include "coracle/a2a/model_json.hpp"

#include <algorithm>

namespace coracle::a2a {

void send_item(const Subscriber& to, std::string_view item, std::uint64_t number) {
  to.stream.send({to.form.item(item), {}, number == 0 ? std::string() : std::to_string(number)});
}

std::string sent_task(const Task& task, std::optional<int> history_length) {
  return web::to_text(to_json(StreamItem(with_history(task, history_length))));
}

// Those whose clients have left are dropped now and then, so that they do not pile up.
void Watchers::add(const std::string& task, Subscriber subscriber) {
  auto& all = tasks_[task].subscribers;
  std::erase_if(all, [](const Subscriber& each) { return !each.stream.is_open(); });
  all.push_back(std::move(subscriber));
}

void Watchers::add(const std::string& task, Waiter waiter) {
  auto& all = tasks_[task].waiters;
  std::erase_if(all, [](const Waiter& each) { return !each.responder.is_wanted(); });
  all.push_back(std::move(waiter));
}

void Watchers::publish(const Task& task, const TaskEvent& event) {
  const auto found = tasks_.find(task.id);
  if (found == tasks_.end()) return;
  OfTask& all = found->second;
  const TaskState state = task.status.state;
  for (const Subscriber& each : all.subscribers) {
    send_item(each, *event.item, event.number);
    if (is_final(state) || (each.ends_with_question && is_interrupted(state))) each.stream.close();
  }
  std::erase_if(all.subscribers, [](const Subscriber& each) { return !each.stream.is_open(); });
  if (is_final(state) || is_interrupted(state)) {
    for (const Waiter& each : all.waiters)
      each.responder.send(each.form.result(sent_task(task, each.history_length)));
    all.waiters.clear();
  }
  if (all.subscribers.empty() && all.waiters.empty()) tasks_.erase(found);
}

std::size_t Watchers::subscribers() const noexcept {
  std::size_t sum = 0;
  for (const auto& each : tasks_) sum += each.second.subscribers.size();
  return sum;
}

}  // namespace coracle::a2a
