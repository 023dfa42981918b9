// The endings of several agents, one after the other, for an agent that deals with many.
// Tests: tests/conformance/promises/promise_09_supervision.cpp
#pragma once

#include "coracle/agent.hpp"

#include <memory>

namespace coracle {

namespace detail {
struct EndingsState;
}

// Watches names for one agent, whose tasks use it: it is a member of that agent, or a variable in
// one of its tasks.
class Endings {
 public:
  // Watches no name yet. From now on `agent` is not moved to another worker.
  explicit Endings(Agent& agent);
  Endings(const Endings&) = delete;
  ~Endings();

  // Watches `who`, too: after its return, no ending of that name is missed. Returns whether an
  // agent holds the name, according to the directory; a second call asks the directory again. Fails
  // with Errc::limit_reached when the directory has too many watches.
  Task<bool> add(Name who);
  // Stops watching that name. An ending that was noted before is still returned by next().
  void drop(const Name& who) noexcept;
  // Returns whether an agent held the name at the last news that this node received. False for a
  // name that is not watched.
  bool here(const Name& who) const noexcept;
  // The next ending of any of these names, in the order in which this node learned of them. Fails
  // with Errc::stopped.
  Task<Ending> next();

 private:
  const std::shared_ptr<detail::EndingsState> state_;
};

// The agent's present incarnation, as Ending::incarnation will report it. It changes when the
// agent's node has lost its lease and holds its names again.
Incarnation life_of(const Agent& agent) noexcept;

}  // namespace coracle
