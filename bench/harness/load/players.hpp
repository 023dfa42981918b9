// The agents that most scenarios are made of.
#pragma once

#include "harness/figures/timing.hpp"

#include <coracle/agent.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <string_view>

namespace coracle::bench {

// The conversation of the message that makes a player end.
inline constexpr Conversation farewell = ~Conversation{0};
// The conversation of a message that checks whether an agent exists.
inline constexpr Conversation greeting = farewell - 1;

// A content of `bytes` bytes.
Content content_of(std::size_t bytes);

// Ends the whole program at once with exit code 1, and prints why there is no number.
[[noreturn]] void end_run(std::string_view why);

// An agent of a benchmark. If the agent fails, the whole program ends at once with exit code 1: the
// other agents would wait for it forever, and there is no number to be saved.
class Player : public Agent {
 public:
  Task<> run() final { return guarded(play()); }

 protected:
  // The work of the agent.
  virtual Task<> play() = 0;
  // The time that the agent waits with its failure: another one may know the reason, and fail
  // meanwhile.
  virtual Duration hesitation() const { return {}; }
  // Runs a task beside play().
  void also(Task<> task) { spawn(guarded(std::move(task))); }

 private:
  Task<> guarded(Task<> task);
};

// Does nothing until a message comes, and then ends.
class Resting : public Player {
 protected:
  Task<> play() override { const Message farewell_of_somebody = co_await receive(); }
};

// Sends every message back, until the farewell.
class Ponger : public Player {
 protected:
  Task<> play() override;
};

// Keeps its worker from falling asleep while `busy` is not zero. Only workers on which an open loop
// generates its load have such an agent: the load of the real world would not sleep either, but it
// would have processors of its own.
class KeepAwake : public Player {
 public:
  explicit KeepAwake(const std::atomic<unsigned>& busy) : busy_(busy) {}

 protected:
  Task<> play() override;

 private:
  const std::atomic<unsigned>& busy_;
};

// A pattern that matches nothing that a benchmark sends; each number gives another one.
Pattern never_said(std::uint32_t number);

// Registers that many of these patterns, counts `ready` down, and ends when `busy` is zero.
class Eavesdropper : public Player {
 public:
  Eavesdropper(std::uint32_t patterns, std::latch& ready, const std::atomic<unsigned>& busy)
      : patterns_(patterns), ready_(ready), busy_(busy) {}

 protected:
  Task<> play() override;

 private:
  const std::uint32_t patterns_;
  std::latch& ready_;
  const std::atomic<unsigned>& busy_;
};

}  // namespace coracle::bench
