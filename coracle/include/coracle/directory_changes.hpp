// The names whose entries in the directory have changed, for an agent that keeps its own picture of
// the society: begin(), then search once, then look up each name that changed.
// Tests: tests/conformance/promises/promise_01_names.cpp
#pragma once

#include "coracle/agent.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace coracle {

namespace detail {
struct DirectoryChangesState;
}

// Follows the directory for one agent, whose tasks use it: it is a member of that agent, or a
// variable in one of its tasks.
class DirectoryChanges {
 public:
  // The names that have changed since the last call: their agents have arrived, described
  // themselves or ended. Each name comes once, in the order of names.
  struct Changed {
    std::vector<Name> names;
    // More names than the limit had changed: search again.
    bool all = false;
  };

  // Follows nothing yet. At most `limit` names are remembered until they are taken. From now on
  // `agent` is not moved to another worker.
  explicit DirectoryChanges(Agent& agent, std::size_t limit = 100'000);
  DirectoryChanges(const DirectoryChanges&) = delete;
  ~DirectoryChanges();

  // Follows the names within `prefix`, an empty one: all names. After its return, no change is
  // missed. Is called once. Fails with Errc::limit_reached when the directory has too many watches.
  Task<> begin(Name prefix = Name());
  // Takes the changes that were not taken, without a wait: every change that this node learned
  // of before the call.
  Changed take();
  // Waits until there is something to take. Fails with Errc::stopped.
  Task<> wait();

 private:
  const std::shared_ptr<detail::DirectoryChangesState> state_;
};

}  // namespace coracle
