// An agent that keeps others alive: it makes its children, watches them, and makes those that
// crash again, within limits.
#pragma once

#include "coracle/agent.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace coracle {

// Whom a supervisor makes again when one child ends.
enum class Restart : std::uint8_t { one, all };

// How often a supervisor may restart: `times` within `window`; once more, and it gives up: it ends
// its children and itself, with an exception that names the child.
struct RestartLimit {
  std::uint32_t times = 5;
  Duration window = std::chrono::seconds(60);
};

// Counts restarts against a limit.
class RestartCount {
 public:
  explicit RestartCount(RestartLimit limit) noexcept : limit_(limit) {}

  // Whether there may be one more at that time; counts it if so.
  bool may_restart(Time present);
  // How many there were.
  std::uint32_t restarts() const noexcept { return restarts_; }
  const RestartLimit& limit() const noexcept { return limit_; }

 private:
  RestartLimit limit_;
  std::vector<Time> recent_;
  std::uint32_t restarts_ = 0;
};

// Derive, or use as it is: `Supervisor` with children added before it begins. It returns when all
// its children have stopped by themselves.
class Supervisor : public Agent {
 public:
  // Makes a child.
  using Factory = std::function<std::unique_ptr<Agent>()>;

  explicit Supervisor(RestartLimit limit = {}, Restart strategy = Restart::one);
  ~Supervisor() override;

  // Adds a child; before the supervisor begins.
  Supervisor& child(AgentSpec spec, Factory factory);
  // How often children were made again so far.
  std::uint32_t restarts() const noexcept { return count_.restarts(); }

  Task<> run() override;

 protected:
  // Called when a child has ended, before anything is done about it.
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
