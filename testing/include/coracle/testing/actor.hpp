// Agents that a test writes on the spot, to play the partners of those that it is about.
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
  // Whether something has gone wrong.
  bool failed() const;
  // Throws the first thing that went wrong, if anything did.
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
  // The end of the main one is the end of the test.
  Actor(Body body, Proceedings& proceedings, bool main = false)
      : body_(std::move(body)), proceedings_(proceedings), main_(main) {}

  Task<> run() override;
  // How it and its fellows fare.
  Proceedings& proceedings() noexcept { return proceedings_; }

 private:
  const Body body_;
  Proceedings& proceedings_;
  const bool main_;
};

// Makes an agent beside `me`, which must be one of a Society itself. What leaves its body fails
// the test, unless it is a Crash, or the Error that says that its node stops or it was fenced.
Task<Address> start(Agent& me, AgentSpec spec, Body body);

}  // namespace coracle::testing
