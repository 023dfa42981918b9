#include "tasks/push_configs.hpp"

#include "coracle/a2a/fault.hpp"

#include <utility>

namespace coracle::a2a {

namespace {

constexpr std::size_t longest_push_id = 256, longest_secret = 4096;

// A value of a header, or of a line of one.
bool is_header_text(const std::string& text) noexcept {
  for (const char each : text)
    if (each < ' ' || each > '~') return false;
  return text.size() <= longest_secret;
}

bool is_scheme(const std::string& text) noexcept {
  for (const char each : text) {
    const bool is_letter = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
    const bool is_other = (each >= '0' && each <= '9') || each == '-' || each == '_';
    if (!is_letter && !is_other) return false;
  }
  return text.size() <= 64;
}

void check_texts(const PushConfig& config) {
  if (config.id.size() > longest_push_id) throw Fault::at("id", "has more than 256 bytes");
  if (!is_header_text(config.token)) throw Fault::at("token", "has to be visible ASCII");
  if (!is_scheme(config.scheme))
    throw Fault::at("authentication.scheme", "is no scheme of HTTP, such as Bearer");
  if (!is_header_text(config.credentials))
    throw Fault::at("authentication.credentials", "has to be visible ASCII");
}

Fault no_config(const std::string& task, const std::string& id) {
  return Fault(FaultKind::task_not_found, "the task has no such push configuration",
               {{"taskId", task}, {"id", id}});
}

}  // namespace

PushConfig without_secrets(PushConfig config) {
  config.token.clear();
  config.credentials.clear();
  return config;
}

void PushConfigs::check(const std::string& task, const std::string& caller,
                        const PushConfig& config) const {
  check_texts(config);
  const auto of_task = tasks_.find(task);
  const bool is_first = of_task == tasks_.end();
  if (!is_first && of_task->second.contains(config.id)) return;  // it takes the place of that one
  const auto own = callers_.find(caller);
  if (size_ >= all_ || (own != callers_.end() && own->second >= per_caller_) ||
      (is_first ? per_task_ == 0 : of_task->second.size() >= per_task_))
    throw Fault(FaultKind::exhausted,
                "there are too many push configurations; delete one before you set another");
}

const PushConfig& PushConfigs::set(const std::string& task, const std::string& caller,
                                   PushConfig config, std::string id, std::uint64_t last_event) {
  if (config.id.empty()) config.id = std::move(id);
  check(task, caller, config);
  config.task_id = task;
  const auto [place, is_new] = tasks_[task].try_emplace(config.id);
  if (is_new) {
    ++size_;
    ++callers_[caller];
  } else {
    turns_.forget(place->second.caller, task, config.id);
  }
  place->second = {std::move(config), caller, ++last_serial_, last_event};
  return place->second.config;
}

const PushConfig& PushConfigs::get(const std::string& task, const std::string& id) const {
  const auto all = tasks_.find(task);
  if (all == tasks_.end()) throw no_config(task, id);
  const auto found = all->second.find(id);
  if (found == all->second.end()) throw no_config(task, id);
  return found->second.config;
}

std::vector<PushConfig> PushConfigs::list(const std::string& task) const {
  std::vector<PushConfig> configs;
  if (const auto all = tasks_.find(task); all != tasks_.end())
    for (const auto& each : all->second) configs.push_back(each.second.config);
  return configs;
}

std::vector<std::string> PushConfigs::ids(const std::string& task) const {
  std::vector<std::string> ids;
  if (const auto all = tasks_.find(task); all != tasks_.end())
    for (const auto& each : all->second) ids.push_back(each.first);
  return ids;
}

PushConfigs::Entry* PushConfigs::find(const std::string& task, const std::string& id) noexcept {
  const auto all = tasks_.find(task);
  if (all == tasks_.end()) return nullptr;
  const auto found = all->second.find(id);
  return found == all->second.end() ? nullptr : &found->second;
}

void PushConfigs::forget(const Entry& entry) {
  turns_.forget(entry.caller, entry.config.task_id, entry.config.id);
  --size_;
  const auto own = callers_.find(entry.caller);
  if (--own->second == 0) callers_.erase(own);
}

void PushConfigs::remove(const std::string& task, const std::string& id) {
  const auto all = tasks_.find(task);
  if (all == tasks_.end()) return;
  const auto found = all->second.find(id);
  if (found == all->second.end()) return;
  forget(found->second);
  all->second.erase(found);
  if (all->second.empty()) tasks_.erase(all);
}

void PushConfigs::keep_only(const std::function<bool(const std::string&)>& is_there) {
  std::vector<std::string> gone;
  for (const auto& each : tasks_)
    if (!is_there(each.first)) gone.push_back(each.first);
  for (const std::string& each : gone) remove_all(each);
}

void PushConfigs::remove_all(const std::string& task) {
  const auto all = tasks_.find(task);
  if (all == tasks_.end()) return;
  for (const auto& each : all->second) forget(each.second);
  tasks_.erase(all);
}

}  // namespace coracle::a2a
