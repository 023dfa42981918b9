// Which of the places where a service may be is used: the first that answers, and then whatever is
// before it. Pure; Candidates acts by it.
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

// For how long a place is asked before the next one is asked, too.
inline constexpr Duration head_start = std::chrono::milliseconds(300);
// How long a better place has to be there before it is used; and something has to be heard of it
// then, since its system keeps connections while it hangs. Shorter than the pause between two
// heartbeats, so that the first one tells.
inline constexpr Duration proving_time = std::chrono::milliseconds(400);
// How long whoever is used may be silent.
inline constexpr Duration silence = std::chrono::seconds(3);
// How long one that was left is kept, so that others, too, can leave it before it takes us for
// dead.
inline constexpr Duration parting_time = std::chrono::seconds(3);

// What is known of a place.
struct Standing {
  bool is_open = false;     // a session with it is open
  bool has_failed = false;  // it was dialled in vain since the search began
  Time since{};             // it is open, or is not any more
  Time heard{};             // something of it came last
};

struct Choice {
  std::size_t use = nowhere;
  std::vector<bool> dial;   // which are to have a link
  bool may_stay = false;    // whether others may keep theirs
  Time next = Time::max();  // when to choose again, if nothing happens
};

// Chooses among `places`, the best first. `used` is the last choice, which was made, or a search
// begun, at `since`.
Choice choose(std::span<const Standing> places, std::size_t used, Time since, Time now);

}  // namespace coracle::society
