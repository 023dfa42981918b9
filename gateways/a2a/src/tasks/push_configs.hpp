// The places at which clients want to be notified of the changes of their tasks.
// Tests: gateways/a2a/tests/push_configs_test.cpp
#pragma once

#include "coracle/a2a/model.hpp"
#include "coracle/a2a/task_limits.hpp"
#include "tasks/post_turns.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coracle::a2a {

// The configurations of all tasks; who may see a task may see its configurations.
class PushConfigs {
 public:
  explicit PushConfigs(const TaskLimits& limits)
      : per_task_(limits.pushes_per_task),
        per_caller_(limits.pushes_per_caller),
        all_(limits.pushes) {}

  // A configuration, and how far its client was notified.
  struct Entry {
    PushConfig config;
    std::string caller;
    std::uint64_t serial = 0;      // another one with the same id has another number
    std::uint64_t last_event = 0;  // the last change that the client knows
    unsigned failures = 0;         // in a row
    bool is_busy = false;          // it is being notified
  };

  // Fails as set() would for a configuration of that caller. `task` is empty if there is none yet.
  void check(const std::string& task, const std::string& caller, const PushConfig& config) const;
  // Sets a configuration of a task, instead of one with the same id; `id` is used if it has none.
  // The client knows the changes up to `last_event`. Fails with Fault (invalid_params, exhausted).
  const PushConfig& set(const std::string& task, const std::string& caller, PushConfig config,
                        std::string id, std::uint64_t last_event);
  // The configuration with that id. Fails with Fault (task_not_found).
  const PushConfig& get(const std::string& task, const std::string& id) const;
  std::vector<PushConfig> list(const std::string& task) const;
  void remove(const std::string& task, const std::string& id);
  void remove_all(const std::string& task);
  // Removes those of tasks that are gone.
  void keep_only(const std::function<bool(const std::string& task)>& is_there);

  Entry* find(const std::string& task, const std::string& id) noexcept;
  // The turns of those that are to be notified. One that is removed, or set again, has none.
  PostTurns& turns() noexcept { return turns_; }
  // The ids of a task's configurations.
  std::vector<std::string> ids(const std::string& task) const;
  std::size_t size() const noexcept { return size_; }

 private:
  using OfTask = std::map<std::string, Entry>;

  void forget(const Entry& entry);

  const std::size_t per_task_, per_caller_, all_;
  std::map<std::string, OfTask> tasks_;
  std::map<std::string, std::size_t> callers_;
  PostTurns turns_;
  std::size_t size_ = 0;
  std::uint64_t last_serial_ = 0;
};

// A configuration as clients see it: without the secrets, which only the place itself has to know.
PushConfig without_secrets(PushConfig config);

}  // namespace coracle::a2a
