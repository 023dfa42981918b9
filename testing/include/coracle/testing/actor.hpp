// Agents that a test defines in place, to play the partners of the agents under test.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/testing/failure.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace coracle::testing {

// The work of an agent of a test. Its captures live as long as the agent.
using Body = std::function<Task<>(Agent&)>;

// An exception for an agent that is meant to crash; any other exception fails the test.
class Crash : public std::runtime_error {
 public:
  explicit Crash(const std::string& why = "a planned crash") : std::runtime_error(why) {}
};

// The progress of the agents of one society. Safe to use from every thread.
class Proceedings {
 public:
  // Notes a failure.
  void note(const std::string& text);
  // The main agent begins, or has ended.
  void begin();
  void end();
  // Waits until the main agent has ended or a failure was noted; returns false when `limit` passes.
  bool wait(std::chrono::seconds limit);
  // Returns whether the main agent has ended or a failure was noted.
  bool over() const;
  // Returns whether a failure was noted.
  bool failed() const;
  // Throws the first failure, if there is one.
  void rethrow() const;

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<std::string> failures_;
  bool ended_ = false;
};

// An agent made of a Body.
class Actor final : public Agent {
 public:
  // The end of the main agent is the end of the test.
  Actor(Body body, Proceedings& proceedings, bool main = false)
      : body_(std::move(body)), proceedings_(proceedings), main_(main) {}

  Task<> run() override;
  // The progress of this agent and of the others of its society.
  Proceedings& proceedings() noexcept { return proceedings_; }

 private:
  const Body body_;
  Proceedings& proceedings_;
  const bool main_;
};

// Makes an agent beside `me`, which must be one of a Society itself. An exception that leaves the
// body fails the test, unless it is a Crash, or the Error of an agent whose node stops or which was
// fenced.
Task<Address> start(Agent& me, AgentSpec spec, Body body);

}  // namespace coracle::testing
