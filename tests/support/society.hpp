// A society for one test: a node, a main agent that is the test, and whoever it starts.
#pragma once

#include "coracle/node.hpp"
#include "support/expect.hpp"
#include "support/watchdog.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace coracle::test {

// What an agent of a test does. Whatever it captures lives as long as its agent.
using Body = std::function<Task<>(Agent&)>;

// What an agent throws that is meant to crash; anything else fails the test.
class Crash : public std::runtime_error {
 public:
  explicit Crash(const std::string& why = "a planned crash") : std::runtime_error(why) {}
};

// How the agents of one society fare. Safe to use from every thread.
class Proceedings {
 public:
  // Something went wrong.
  void note(const std::string& text);
  // The main agent begins, or has ended.
  void begin();
  void end();
  // Waits until the main agent has ended or something went wrong; false when `limit` passes.
  bool wait(std::chrono::seconds limit);
  // Whether that is so.
  bool over() const;
  // Throws the first thing that went wrong, if anything did.
  void rethrow() const;
  // Agents are placed on all of these in turn, from now on.
  void spread_over(std::vector<Node*> nodes);
  // Where the next one is placed; nullptr: wherever whoever makes it is.
  Node* next_place();

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::vector<Node*> places_;
  std::size_t placed_ = 0;
  std::condition_variable changed_;
  std::vector<std::string> failures_;
  bool ended_ = false;
};

// An agent made of a Body.
class Actor final : public Agent {
 public:
  // The end of the main one is the end of the test.
  Actor(Body body, Proceedings& proceedings, bool main = false)
      : body_(std::move(body)), proceedings_(proceedings), main_(main) {}

  Task<> run() override;
  Proceedings& proceedings() noexcept { return proceedings_; }

 private:
  const Body body_;
  Proceedings& proceedings_;
  const bool main_;
};

// Makes an agent beside `me`, which must be one of a Society itself, or on the next of the society's
// nodes when it has several. What leaves its body fails
// the test, unless it is a Crash, or the Error that says that its node stops or it was fenced.
Task<Address> start(Agent& me, AgentSpec spec, Body body);

// The same, always beside `me`.
Task<Address> start_here(Agent& me, AgentSpec spec, Body body);

// A node on `realization` and the agents of one test. Where the realization has a driver, this
// thread runs them, limits are in the node's time, and a failure says how it can be repeated.
class Society {
 public:
  explicit Society(Realization realization, NodeOptions options = {});
  // A society of several nodes; node() is the first.
  Society(std::vector<Realization> realizations, const NodeOptions& options);
  ~Society();

  // Runs `body` as the agent "main" and throws what leaves it, or the first failure of another
  // agent, or a Failure when it takes longer than `limit`. `meanwhile` runs on this thread.
  void run(Body body, const std::function<void()>& meanwhile = {},
           std::chrono::seconds limit = std::chrono::seconds(20));
  // Waits for something that the agents bring about, on this thread.
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
};

// Options that keep a test short: small patience, no binding to processors.
NodeOptions quick(unsigned workers = 1);

}  // namespace coracle::test
