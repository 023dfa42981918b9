#include "watches.hpp"

#include <utility>

namespace coracle::detail {

std::uint64_t Watches::add(Name prefix, DirectoryWatcher& watcher) {
  auto watch = std::make_shared<Watch>(Watch{prefix, &watcher});
  by_prefix_[std::move(prefix)].push_back(watch);
  by_id_.emplace(++last_id_, std::move(watch));
  return last_id_;
}

void Watches::remove(std::uint64_t id, std::unique_lock<std::mutex>& lock) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return;
  const std::shared_ptr<Watch> watch = std::move(found->second);
  by_id_.erase(found);
  const auto same_prefix = by_prefix_.find(watch->prefix);
  std::erase(same_prefix->second, watch);
  if (same_prefix->second.empty()) by_prefix_.erase(same_prefix);
  watch->watcher = nullptr;
  while (called_ == watch.get() && teller_ != std::this_thread::get_id()) call_ended_.wait(lock);
}

bool Watches::wanted(const Name& name) const {
  if (by_prefix_.empty()) return false;
  for (std::string_view prefix = name.view();; prefix = parent_of(prefix)) {
    if (by_prefix_.contains(prefix)) return true;
    if (prefix.empty()) return false;
  }
}

void Watches::publish(DirectoryEvent event) {
  std::shared_ptr<const DirectoryEvent> shared;
  const auto note = [&](const std::vector<std::shared_ptr<Watch>>& watches, const Name* not_again) {
    for (const auto& watch : watches) {
      if (not_again != nullptr && not_again->within(watch->prefix)) continue;
      if (shared == nullptr) shared = std::make_shared<const DirectoryEvent>(event);
      noted_.push_back({watch, shared});
    }
  };
  const auto walk_up = [&](const Name& name, const Name* not_again) {
    for (std::string_view prefix = name.view();; prefix = parent_of(prefix)) {
      const auto found = by_prefix_.find(prefix);
      if (found != by_prefix_.end()) note(found->second, not_again);
      if (prefix.empty()) break;
    }
  };
  walk_up(event.name, nullptr);
  if (!event.group.empty()) walk_up(event.group, &event.name);
}

void Watches::tell(std::unique_lock<std::mutex>& lock) noexcept {
  if (telling_ || noted_.empty()) return;
  telling_ = true;
  teller_ = std::this_thread::get_id();
  while (!noted_.empty()) {
    const Delivery delivery = std::move(noted_.front());
    noted_.pop_front();
    DirectoryWatcher* const watcher = delivery.watch->watcher;
    if (watcher == nullptr) continue;
    called_ = delivery.watch.get();
    lock.unlock();
    watcher->on_change(*delivery.event);
    lock.lock();
    called_ = nullptr;
    call_ended_.notify_all();
  }
  telling_ = false;
}

}  // namespace coracle::detail
