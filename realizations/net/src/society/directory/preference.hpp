// Chooses among the places where a service may be: the first that answers is used, and then any
// place before it. Pure; Candidates follows the choice.
#pragma once

#include "coracle/clock.hpp"

#include <chrono>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace coracle::society {

// No place.
inline constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

// The time for which a place is tried before the next one is tried, too.
inline constexpr Duration head_start = std::chrono::milliseconds(300);
// The time that a better place must be there before it is used; and something must be received from
// it after that time, because its system keeps connections while it hangs. The time is shorter than
// the pause between two heartbeats, so that the first heartbeat decides.
inline constexpr Duration proving_time = std::chrono::milliseconds(400);
// The time that the used place may be silent.
inline constexpr Duration silence = std::chrono::seconds(3);
// The time for which a place that was left is kept, so that other nodes, too, can leave it before
// it considers us dead.
inline constexpr Duration parting_time = std::chrono::seconds(3);

// The known state of a place.
struct Standing {
  bool is_open = false;     // a session with it is open
  bool has_failed = false;  // dialling failed since the search began
  Time since{};             // the time since which the place is open, or closed
  Time received{};          // when something was last received from the place
};

struct Choice {
  std::size_t use = nowhere;
  std::vector<bool> dial;   // the places that must have a link
  bool may_stay = false;    // other links may stay
  Time next = Time::max();  // the time to choose again, if nothing happens
};

// Chooses among `places`, the best first. `used` is the last choice, which was made, or a search
// begun, at `since`.
Choice choose(std::span<const Standing> places, std::size_t used, Time since, Time now);

}  // namespace coracle::society
