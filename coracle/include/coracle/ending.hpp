// The reason why an agent ended, as reported to the agents that watch its name.
#pragma once

#include "coracle/name.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace coracle {

// The kinds of ending.
enum class EndReason : std::uint8_t {
  stopped,      // run() returned, or the agent was asked to stop
  crashed,      // an exception left the agent
  unreachable,  // its node no longer answers
  expired,      // its lease ran out
  fenced,       // another agent took its name over
};

// The name of a reason: "stopped", "crashed", …
const char* to_string(EndReason reason) noexcept;

// The incarnation of a name: a later holder has a greater one. The directory's epoch is compared
// first, so that incarnations of a later directory are greater than those of an earlier one. The
// struct is aligned so that every compiler reads it at once.
struct alignas(std::uint64_t) Incarnation {
  std::uint32_t epoch = 0;
  std::uint32_t counter = 0;

  auto operator<=>(const Incarnation&) const = default;
};

// The end of one agent.
struct Ending {
  Ending() = default;
  Ending(Name who, Incarnation life, EndReason why, std::string words = {})
      : name(std::move(who)), incarnation(life), reason(why), text(std::move(words)) {}

  // The agent's name, its incarnation, and the reason.
  Name name;
  Incarnation incarnation;
  EndReason reason = EndReason::stopped;
  // The text of the exception, if an exception was the reason.
  std::string text;
};

}  // namespace coracle
