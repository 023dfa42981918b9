// The endings of several agents, one after the other, for an agent that deals with many.
// Contract: tests/contract/promise_09_supervision.cpp
#pragma once

#include "coracle/agent.hpp"

#include <memory>

namespace coracle {

namespace detail {
struct EndingsState;
}

// Watches names for one agent, whose tasks use it: it is a member of that agent, or in a task of
// it.
class Endings {
 public:
  // Of no name yet. Its agent is not moved to another worker from now on.
  explicit Endings(Agent& agent);
  Endings(const Endings&) = delete;
  ~Endings();

  // Watches `who`, too: from its return on, no ending of that name is missed. Gives whether anybody
  // holds it, as the directory knows it; a second call asks that again. Fails with
  // Errc::limit_reached when the directory has too many watches.
  Task<bool> add(Name who);
  // Watches that name no more. An ending that was noted before is still given.
  void drop(const Name& who) noexcept;
  // Whether somebody held it when this node last heard of it. False for a name that is not watched.
  bool here(const Name& who) const noexcept;
  // The next ending of any of these names, in the order in which this node heard of them. Fails
  // with Errc::stopped.
  Task<Ending> next();

 private:
  const std::shared_ptr<detail::EndingsState> state_;
};

// The life of its name in which an agent is: Ending::incarnation will say the same. It changes when
// the agent's node has lost its lease and holds its names again.
Incarnation life_of(const Agent& agent) noexcept;

}  // namespace coracle
