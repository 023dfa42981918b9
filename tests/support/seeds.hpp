// How many seeds a test plays, and what it draws from one.
#pragma once

#include "coracle/clock.hpp"
#include "support/watchdog.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace coracle::test {

// As many, or less where everything is slow.
inline unsigned some_seeds(unsigned count) { return count / slowness; }

// As many as CORACLE_SEEDS says; otherwise so many, or less where everything is slow.
inline std::uint64_t seeds_to_play(std::uint64_t otherwise) {
  const char* const text = std::getenv("CORACLE_SEEDS");
  return text == nullptr || *text == '\0' ? otherwise / fewer : std::stoull(text);
}

inline std::uint64_t below(Random& random, std::uint64_t count) { return random.next() % count; }

inline Duration up_to(Random& random, Duration most) {
  return Duration(
      1 + static_cast<Duration::rep>(below(random, static_cast<std::uint64_t>(most.count()))));
}

}  // namespace coracle::test
