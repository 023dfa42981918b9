// The number of seeds that a test plays, and the values that it draws from one.
#pragma once

#include "coracle/clock.hpp"
#include "support/watchdog.hpp"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace coracle::test {

// `count`, or less in a slow build.
inline unsigned some_seeds(unsigned count) { return count / slowness; }

// The number in CORACLE_SEEDS; without it, `otherwise`, or less in a slow build.
inline std::uint64_t seeds_to_play(std::uint64_t otherwise) {
  const char* const text = std::getenv("CORACLE_SEEDS");
  return text == nullptr || *text == '\0' ? otherwise / fewer : std::stoull(text);
}

// The cases of an oracle, by their seeds: from CORACLE_ORACLE_SEED on, as many as fit into
// CORACLE_ORACLE_SECONDS. Where these are not set, a fixed number from a fixed seed on.
class Cases {
 public:
  Cases(std::uint64_t seed, std::uint64_t count) : first_(seed), count_(seeds_to_play(count)) {
    const char* const begin = std::getenv("CORACLE_ORACLE_SEED");
    const char* const seconds = std::getenv("CORACLE_ORACLE_SECONDS");
    if (begin != nullptr && *begin != '\0') first_ = std::stoull(begin);
    if (seconds == nullptr || *seconds == '\0') return;
    end_ = steady_clock().now() + Duration(static_cast<Duration::rep>(1e9 * std::stod(seconds)));
  }
  std::uint64_t first() const noexcept { return first_; }
  std::uint64_t played() const noexcept { return played_; }
  // The next seed; nothing after the last one.
  std::optional<std::uint64_t> next() {
    if (end_ ? steady_clock().now() >= *end_ : played_ >= count_) return std::nullopt;
    return first_ + played_++;
  }

 private:
  std::uint64_t first_;
  std::uint64_t count_;
  std::uint64_t played_ = 0;
  std::optional<Time> end_;
};

inline std::uint64_t below(Random& random, std::uint64_t count) { return random.next() % count; }

inline Duration up_to(Random& random, Duration most) {
  return Duration(
      1 + static_cast<Duration::rep>(below(random, static_cast<std::uint64_t>(most.count()))));
}

}  // namespace coracle::test
