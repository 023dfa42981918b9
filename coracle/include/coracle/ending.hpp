// Why an agent ended, as told to whoever watches its name.
#pragma once

#include "coracle/name.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace coracle {

// The kinds of ending.
enum class EndReason : std::uint8_t {
  stopped,      // it returned, or was asked to stop
  crashed,      // an exception left it
  unreachable,  // its node fell silent
  expired,      // its lease ran out
  fenced,       // another agent took its name over
};

// "stopped", "crashed", …
const char* to_string(EndReason reason) noexcept;

// Which life of a name: a later holder has a greater one. The directory's epoch comes first, so
// that what a later directory says wins over what an earlier one said. It is aligned so that every
// compiler reads it at once.
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

  // Who ended, in which life of the name, and why.
  Name name;
  Incarnation incarnation;
  EndReason reason = EndReason::stopped;
  // What the exception said, if one was the reason.
  std::string text;
};

}  // namespace coracle
