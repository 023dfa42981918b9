// An agent that keeps others alive: it makes its children, watches them, and restarts those that
// crash, within limits.
#pragma once

#include "coracle/agent.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace coracle {

// The children that a supervisor restarts when one child ends.
enum class Restart : std::uint8_t { one, all };

// The limit of restarts: `times` within `window`. When one more is needed, the supervisor gives up:
// it ends its children and itself, with an exception that names the child.
struct RestartLimit {
  std::uint32_t times = 5;
  Duration window = std::chrono::seconds(60);
};

// Counts restarts against a limit.
class RestartCount {
 public:
  explicit RestartCount(RestartLimit limit) noexcept : limit_(limit) {}

  // Returns whether one more restart is permitted at that time; counts the restart if so.
  bool may_restart(Time present);
  // The number of restarts.
  std::uint32_t restarts() const noexcept { return restarts_; }
  const RestartLimit& limit() const noexcept { return limit_; }

 private:
  RestartLimit limit_;
  std::vector<Time> recent_;
  std::uint32_t restarts_ = 0;
};

// Derive from it, or use it as it is: a `Supervisor` to which children are added before it begins.
// It returns when all its children have stopped by themselves.
class Supervisor : public Agent {
 public:
  // Makes a child.
  using Factory = std::function<std::unique_ptr<Agent>()>;

  explicit Supervisor(RestartLimit limit = {}, Restart strategy = Restart::one);
  ~Supervisor() override;

  // Adds a child; call it before the supervisor begins.
  Supervisor& child(AgentSpec spec, Factory factory);
  // The number of restarts so far.
  std::uint32_t restarts() const noexcept { return count_.restarts(); }

  Task<> run() override;

 protected:
  // Called when a child has ended, before the supervisor reacts.
  virtual void on_ending(const Ending& ending);

 private:
  struct Child;
  struct Events;

  Task<> start(Child& child);
  Task<> end_the_rest();
  Task<> restart(Child& crashed, const Ending& ending);

  RestartCount count_;
  Restart strategy_;
  std::vector<std::unique_ptr<Child>> children_;
  std::unique_ptr<Events> events_;
};

}  // namespace coracle
