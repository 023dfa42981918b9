// Facts for inspections that few agents have: which supervisor restarts an agent, and the function
// that shows its state.
#pragma once

#include "coracle/name.hpp"
#include "coracle/support/secret_hash.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace coracle {

class Agent;

namespace detail {

using ShowState = std::function<std::string()>;

// Safe to call from every thread.
class InspectionNotes {
 public:
  // The supervisor of an agent, and how often it has restarted the agent.
  struct Supervised {
    Name supervisor;
    std::uint32_t restarts = 0;
  };

  // That supervisor has started the agent of that name; a second time is a restart.
  void started(const Name& child, const Name& supervisor) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = supervised_.try_emplace(child, Supervised{supervisor});
    if (!is_new && entry->second.supervisor == supervisor) ++entry->second.restarts;
    else entry->second = {supervisor};
  }
  // That supervisor does not supervise the agent any more.
  void released(const Name& child, const Name& supervisor) noexcept {
    const std::lock_guard lock(mutex_);
    const auto entry = supervised_.find(child);
    if (entry != supervised_.end() && entry->second.supervisor == supervisor)
      supervised_.erase(entry);
  }
  Supervised supervisor_of(const Name& child) const {
    const std::lock_guard lock(mutex_);
    const auto entry = supervised_.find(child);
    return entry == supervised_.end() ? Supervised{} : entry->second;
  }

  void set_state(const Agent& agent, ShowState show) {
    const std::lock_guard lock(mutex_);
    if (show) states_[&agent] = std::make_shared<const ShowState>(std::move(show));
    else states_.erase(&agent);
  }
  void forget_state(const Agent& agent) noexcept {
    const std::lock_guard lock(mutex_);
    states_.erase(&agent);
  }
  // Returns nullptr when the agent shows none.
  std::shared_ptr<const ShowState> state_of(const Agent& agent) const {
    const std::lock_guard lock(mutex_);
    const auto found = states_.find(&agent);
    return found == states_.end() ? nullptr : found->second;
  }

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::unordered_map<Name, Supervised, SecretHash> supervised_;
  std::unordered_map<const Agent*, std::shared_ptr<const ShowState>> states_;
};

}  // namespace detail

}  // namespace coracle
