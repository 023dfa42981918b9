// A society for one test: a node, a main agent that is the test, and the agents that it starts.
#pragma once

#include "coracle/node.hpp"
#include "coracle/testing/actor.hpp"
#include "support/societies/expect.hpp"
#include "support/societies/turn_taker.hpp"
#include "support/watchdog.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace coracle::test {

using testing::Actor;
using testing::Body;
using testing::Crash;
using testing::Proceedings;

// Makes an agent beside `me`, as testing::start() does, or on the next of the society's nodes when
// it has several.
Task<Address> start(Agent& me, AgentSpec spec, Body body);

// The same, always beside `me`.
Task<Address> start_here(Agent& me, AgentSpec spec, Body body);

// A node on `realization` and the agents of one test. If the realization has a driver, this thread
// runs them, limits are in the node's time, and a failure describes how it can be repeated.
class Society {
 public:
  explicit Society(Realization realization, NodeOptions options = {});
  // A society of several nodes; node() is the first.
  Society(std::vector<Realization> realizations, const NodeOptions& options);
  ~Society();

  // Runs `body` as the agent "main". Throws the error that leaves it, or the first failure of
  // another agent, or a Failure when it takes longer than `limit`. `meanwhile` runs on this thread.
  void run(Body body, const std::function<void()>& meanwhile = {},
           std::chrono::seconds limit = std::chrono::seconds(20));
  // Waits on this thread until the agents have met the condition.
  void await(const std::function<bool()>& met);
  // Stops its nodes, and throws the first failure if there is one.
  StopReport stop(Deadline deadline = std::chrono::seconds(5));
  Node& node() noexcept { return *node_; }
  Proceedings& proceedings() noexcept { return proceedings_; }

 private:
  void rethrow() const;

  Proceedings proceedings_;
  std::unique_ptr<Watchdog> watchdog_;
  std::shared_ptr<Driver> driver_;  // of the node; nullptr when it has threads
  std::shared_ptr<Clock> clock_;    // the driver's
  std::unique_ptr<Node> node_;
  std::vector<std::unique_ptr<Node>> others_;
  std::deque<TurnTaker> turn_takers_;  // of nodes without threads
};

// Adds one node's ledger to a society's.
void add_up(const Ledger& one, Ledger& sum);

// Options that keep a test short: small patience, no binding to processors.
NodeOptions quick(unsigned workers = 1);

}  // namespace coracle::test
