// Finds out why an agent waits: follows the waits from agent to agent, across nodes, to a circle or
// to an agent that waits for nobody.
// Tests: coracle/tests/inspection/why_test.cpp
#pragma once

#include "coracle/inspection.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

// The end of a chain of waits.
enum class WhyEnd : std::uint8_t {
  circle,       // the last agent waits for one that is in the chain already
  reads,        // the last agent waits for a message that anybody could send
  runs,         // the last agent does not wait
  computes,     // the last agent waits for a computation
  pauses,       // the last agent lets time pass
  nobody,       // nobody holds the last name
  silent,       // the node of the last agent does not reply: it is busy, or cut off
  not_allowed,  // the policy does not let this node inspect the last agent
  too_long,     // the chain has 256 agents and goes on
};

// The text of an end, as in the feeds of tools: "circle", "reads", …
const char* to_string(WhyEnd end) noexcept;
// The text of what is waited for: "message", "reply", "room", "pause", "computation".
const char* to_string(WaitFor what) noexcept;

// One agent of a chain.
struct WhyStep {
  Name name;
  std::string node;  // the identity of its node
  Activity activity = Activity::absent;
  // The wait that leads to the next agent, or that ends the chain; nothing: it does not wait.
  std::optional<Wait> wait;
  // The number of its other waits: another task of the agent may go on.
  std::size_t other_waits = 0;
  // The messages in its mailbox, or, when nobody holds the name, that wait for it.
  std::uint64_t queued = 0;
  bool is_full = false;    // its mailbox has reached its limit
  bool is_unread = false;  // the request of the agent before it is still in its mailbox
  std::string sentence;
};

// The chain from the agent that was asked about to the cause.
struct WhyWaits {
  std::vector<WhyStep> chain;
  WhyEnd end = WhyEnd::runs;
  // For a circle: the place in the chain of the agent that the last one waits for.
  std::size_t circle_begins = 0;
  // None of the agents in the circle has another task that could go on, so all wait for ever, or
  // until a deadline.
  bool is_deadlock = false;
  std::string sentence;  // all of it
};

// Follows a chain step by step, and does nothing else: the caller inspects the agents.
class WhyChain {
 public:
  explicit WhyChain(Name first) : next_(std::move(first)) {}

  // The name to inspect next; empty: the chain is complete.
  const Name& next() const noexcept { return next_; }
  // Adds the inspection of that name.
  void add(const Inspection& found);
  // The chain. Requires that it is complete.
  WhyWaits result() &&;

 private:
  void end(WhyEnd end);
  void go_to(const Name& name);

  Name next_;
  Conversation request_ = 0;  // of the last agent, whose reply it waits for
  Name asker_;
  WhyWaits found_;
};

// Follows the chain by a function that inspects.
WhyWaits why_waits(const Name& name, const std::function<Inspection(const Name&)>& look_up);
// Follows the chain across the nodes of the society. Blocks; fails as inspect() does.
WhyWaits why_waits(Node& node, const Name& name);
// The same, for an agent.
Task<WhyWaits> why_waits(Agent& agent, Name name);

}  // namespace coracle
